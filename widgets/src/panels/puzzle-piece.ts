/** The chosen piece: selects for its holes and control inputs, all within reach of the keyboard. */

import { h } from "../base/dom";
import { passage } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { ArrangedRecord, FragmentRecord, LinkRecord } from "../record";

export interface PieceActions {
  attach: (link: LinkRecord) => void;
  detach: (link: LinkRecord) => void;
  takeOut: (piece: number) => void;
  /** An edge begins at this piece. */
  connect: (piece: number) => void;
}

interface End {
  source: number;
  output: number;
  name: string;
}

/** The names that the placed pieces give, except those of piece `but`. */
function ends(pieces: FragmentRecord[], arranged: ArrangedRecord, but: number): End[] {
  return pieces
    .filter(({ id }) => id !== but && arranged.placed.includes(id))
    .flatMap(({ id, gives }) => gives.map((name, output) => ({ source: id, output, name })));
}

export function pieceEditor(
  ctx: Context,
  pieces: FragmentRecord[],
  arranged: ArrangedRecord,
  piece: FragmentRecord | null,
  act: PieceActions,
): HTMLElement[] {
  if (!piece) return [h("p", { class: "hint" }, ctx.t("puzzle.none_chosen"))];
  const sources = ends(pieces, arranged, piece.id);
  const into = arranged.links.filter(({ target }) => target === piece.id);
  const named = (link: LinkRecord): string =>
    pieces.find(({ id }) => id === link.source)?.gives[link.output] ?? "";

  const choice = (
    id: string,
    label: string,
    open: string,
    chosen: number,
    then: (end: End | null) => void,
  ) => {
    const select = h(
      "select",
      {
        id: `${ctx.prefix}-${id}`,
        "data-testid": id,
        change: () => then(sources[Number(select.value)] ?? null),
      },
      h("option", { value: -1, selected: chosen < 0 }, open),
      ...sources.map(({ name }, i) =>
        h("option", { value: i, selected: i === chosen, dir: "auto" }, passage(name, 60)),
      ),
    );
    return h("div", { class: "field" }, h("label", { for: select.id }, label), select);
  };
  const holes = piece.holes.map((sign, hole) => {
    const link = into.find((other) => other.hole === hole);
    const chosen = link ? sources.findIndex((e) => e.source === link.source && e.output === link.output) : -1;
    return choice(
      `hole-${hole}`,
      ctx.t("puzzle.takes", { hole: sign }),
      ctx.t("puzzle.open"),
      chosen,
      (end) => {
        if (end) act.attach({ source: end.source, output: end.output, target: piece.id, hole });
        else if (link) act.detach(link);
      },
    );
  });
  const waits = into
    .filter(({ hole }) => hole === null)
    .map((link) =>
      h(
        "li",
        {},
        h("code", { dir: "auto" }, passage(named(link), 60)),
        button({
          testid: `unwait-${link.source}`,
          icon: "minus",
          words: ctx.t("puzzle.remove_wait", { source: named(link) }),
          act: () => act.detach(link),
        }),
      ),
    );
  const isReturn = piece.gives.length === 0 && piece.code.startsWith("return");
  return [
    h("pre", {}, h("code", { dir: "ltr" }, passage(piece.code, 1000))),
    ...holes,
    h("h5", {}, ctx.t("puzzle.waits_for")),
    ...(waits.length > 0 ? [h("ul", { class: "waits" }, ...waits)] : []),
    choice("wait", ctx.t("puzzle.add_wait"), "–", -1, (end) => {
      if (end) act.attach({ source: end.source, output: 0, target: piece.id, hole: null });
    }),
    h(
      "div",
      { class: "tools" },
      ...(piece.gives.length > 0
        ? [
            button({
              testid: "connect",
              wide: true,
              words: ctx.t("puzzle.connect"),
              act: () => act.connect(piece.id),
            }),
          ]
        : []),
      ...(isReturn
        ? []
        : [
            button({
              testid: "take-out",
              wide: true,
              words: ctx.t("puzzle.take_out"),
              act: () => act.takeOut(piece.id),
            }),
          ]),
    ),
  ];
}
