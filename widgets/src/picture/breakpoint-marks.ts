/** Which nodes have a breakpoint: a sign at their left edge. */
import type { Context } from "../context";
import { circle } from "../draw/badge";
import type { Drawn } from "./paint";

export function showStops(ctx: Context, { marks, scene }: Drawn, nodes: ReadonlySet<number>): void {
  for (const { thing, group } of marks.values()) {
    if (thing.kind !== "node") continue;
    const stops = nodes.has(thing.id);
    if (stops === group.hasAttribute("data-stop")) continue;
    group.toggleAttribute("data-stop", stops);
    const box = scene.nodes.get(thing.id);
    if (stops && box) {
      group.setAttribute("aria-description", ctx.t("break.node"));
      group.append(circle("stop", box.x, box.y + box.h / 2, "●"));
    } else {
      group.removeAttribute("aria-description");
      group.querySelector(".badge.stop")?.remove();
    }
  }
}
