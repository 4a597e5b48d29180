/** Marks the nodes that have a breakpoint by a sign at their left edge. */
import type { Context } from "../context";
import { circle } from "../draw/badge";
import type { Drawing } from "./paint";

export function showBreakpoints(ctx: Context, { marks, scene }: Drawing, nodes: ReadonlySet<number>): void {
  for (const { item, group } of marks.values()) {
    if (item.kind !== "node") continue;
    const stops = nodes.has(item.id);
    if (stops === group.hasAttribute("data-stop")) continue;
    group.toggleAttribute("data-stop", stops);
    const box = scene.nodes.get(item.id);
    if (stops && box) {
      group.setAttribute("aria-description", ctx.t("break.node"));
      group.append(circle("stop", box.x, box.y + box.h / 2, "●"));
    } else {
      group.removeAttribute("aria-description");
      group.querySelector(".badge.stop")?.remove();
    }
  }
}
