/** The edge that the user is drawing between two pieces, and the question what it is to be. */

import { h, setText } from "../base/dom";
import { passage } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { FragmentRecord, LinkRecord } from "../record";

type Way = Omit<LinkRecord, "source" | "target">;

export interface LinkActions {
  attach: (link: LinkRecord) => void;
  focus: (piece: number) => void;
}

/** What an edge can be: the value of one of the target's holes, or a control edge; with its test id and words. */
function waysOf(
  { t }: Context,
  source: FragmentRecord,
  target: FragmentRecord,
  names: { source: string; target: string },
): [string, string, Way][] {
  const into = source.gives.flatMap((name, output) =>
    target.holes.map((sign, hole): [string, string, Way] => {
      const words = t("puzzle.into", { hole: sign });
      const full = source.gives.length > 1 ? `${passage(name, 40)}: ${words}` : words;
      return [`into-${output}-${hole}`, full, { output, hole }];
    }),
  );
  if (source.gives.length === 0) return into;
  return [...into, ["order-only", t("puzzle.order_only", names), { output: 0, hole: null }]];
}

export function createLinking(ctx: Context, pieces: readonly FragmentRecord[], act: LinkActions) {
  const { t } = ctx;
  let from: number | null = null;
  let to: number | null = null;
  const said = h("p", { class: "ask", "data-testid": "linking" });
  const chooser = h("div", { class: "panel chooser", role: "group", "data-testid": "chooser", hidden: true });

  function show(): void {
    const [source, target] = [from, to].map((id) => pieces.find((one) => one.id === id));
    const names = { source: passage(source?.name ?? "", 48), target: passage(target?.name ?? "", 48) };
    setText(said, source && !target ? t("puzzle.connecting", { source: names.source }) : "");
    chooser.hidden = !source || !target;
    if (!source || !target) {
      chooser.replaceChildren();
      return;
    }
    const choices = waysOf(ctx, source, target, names).map(([testid, words, way]) =>
      button({
        testid,
        wide: true,
        words,
        act: () => {
          end();
          act.attach({ source: source.id, target: target.id, ...way });
        },
      }),
    );
    const question = t("puzzle.where", names);
    const cancel = button({ testid: "no-edge", wide: true, words: t("puzzle.cancel"), act: giveUp });
    chooser.setAttribute("aria-label", question);
    chooser.replaceChildren(h("p", {}, question), h("div", { class: "tools" }, ...choices, cancel));
  }
  function turn(source: number | null, target: number | null): void {
    from = source;
    to = target;
    show();
  }
  const end = (): void => turn(null, null);
  /** Ends without an edge; the focus returns to where the edge began. */
  function giveUp(): void {
    const start = from;
    end();
    if (start !== null) act.focus(start);
  }
  return {
    said,
    chooser,
    show,
    end,
    giveUp,
    /** The piece that an edge begins at. */
    from: () => from,
    begin(source: number): void {
      turn(source, null);
      act.focus(source);
    },
    link(source: number, target: number): void {
      turn(source, target);
      chooser.querySelector("button")?.focus();
    },
  };
}
