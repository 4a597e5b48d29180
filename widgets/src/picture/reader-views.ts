/**
 * The commands by which a reader moves the camera, their keys, and the history of views (back and forward). State: the paths of
 * the closed scopes, and the kind and time of the reader's last command.
 */
import type { Camera } from "./camera";
import { createViewHistory } from "./view-history";
import type { Viewport } from "./viewport";

/** What a reader sees: the place of the picture, and the scopes that are closed. */
interface View {
  camera: Camera;
  collapsed: string[];
}

/** The keys of the camera. */
export const KEYS = ["0", "+", "=", "-", "[", "]", "s"] as const;
export type CameraKeys = Record<(typeof KEYS)[number], () => void>;

/** How far one press of a button or a key zooms. */
export const ZOOM = 1.25;
/** Moves of the camera that follow each other faster belong to one view, in milliseconds. */
const PAUSE = 600;

export interface ClosedScopes {
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
}

export interface ReaderViews {
  /** Shows the whole picture. */
  fit: () => void;
  zoom: (factor: number) => void;
  /** To the view before, and back to the one that was left. */
  back: () => void;
  forward: () => void;
  /** What the keys of the camera do. */
  keys: CameraKeys;
  /** The reader is about to move the camera; one gesture is many small moves. */
  leave: (by: "fit" | "zoom" | "gesture" | "reveal") => void;
  /** Whether the reader has moved the camera. */
  hasMoved: () => boolean;
  /** The scopes that are closed now; if others were, the reader leaves a view. */
  renew: () => string[];
  /** These scopes are closed without the reader's doing: no view is left. */
  adopt: (collapsed: string[]) => void;
  /** Whether the reader returns to a view whose picture is not drawn yet. */
  isReturning: () => boolean;
  /** The picture is drawn: the camera of that view is placed. */
  arrive: () => void;
}

/** Whether two pictures have the same closed scopes. */
export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;

export function createReaderViews(
  viewport: Viewport,
  scopes: ClosedScopes,
  save: CameraKeys["s"],
): ReaderViews {
  let collapsed = scopes.collapsed();
  /** The camera of a view that the reader returns to, while its picture is drawn. */
  let returning: Camera | null = null;
  let last = { by: "", at: 0 };
  const now = (): View => ({ camera: viewport.camera(), collapsed });
  const views = createViewHistory(now, (view) => {
    if (isSame(view.collapsed, collapsed)) viewport.place(view.camera);
    else {
      returning = view.camera;
      scopes.collapse(view.collapsed);
    }
  });
  const leave: ReaderViews["leave"] = (by) => {
    const at = performance.now();
    if (by !== last.by || at - last.at > PAUSE) views.leave(now());
    last = { by, at };
  };
  const fit = (): void => {
    leave("fit");
    viewport.fit();
  };
  const zoom = (factor: number): void => {
    leave("zoom");
    viewport.zoom(factor);
  };
  const { back, forward } = views;
  const closer = (): void => zoom(ZOOM);
  const farther = (): void => zoom(1 / ZOOM);
  return {
    fit,
    zoom,
    back,
    forward,
    keys: { "0": fit, "+": closer, "=": closer, "-": farther, "[": back, "]": forward, s: save },
    leave,
    hasMoved: () => last.at !== 0,
    renew() {
      const next = scopes.collapsed();
      if (!returning && !isSame(collapsed, next)) views.leave(now());
      collapsed = next;
      return collapsed;
    },
    adopt(next) {
      collapsed = next;
    },
    isReturning: () => returning !== null,
    arrive() {
      if (returning) viewport.place(returning, false);
      returning = null;
    },
  };
}

/** A picture answers the keys of the camera, and Alt with an arrow as a browser does. */
export function answerKeys(element: HTMLElement, { keys, back, forward }: ReaderViews): void {
  const plain: Record<string, () => void> = keys;
  const turns: Record<string, () => void> = { ArrowLeft: back, ArrowRight: forward };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const act = (event.altKey ? turns : plain)[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
}
