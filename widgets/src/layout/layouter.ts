/**
 * Lays out plans: small ones at once, large ones in a worker, which a newer plan ends. Where no worker may be made, as some
 * pages have it, large ones are laid out at once, too. State: the worker, and where everything stands now, or stood when it
 * was there: what is opened again is as it was, whether or not the picture without it came to be laid out.
 */
import { engine } from "./engine";
import type { Memory, Plan } from "./place";

/** Less than this is laid out before a worker would have begun. */
export const AT_ONCE = 60;

export interface Layouter {
  /** Where everything stands now, or stood last. */
  memory: () => Memory;
  /** `then` gets where everything stands, unless a newer plan comes before. */
  place: (plan: Plan, then: (placements: Memory) => void, patient?: boolean) => void;
}

const { placeLevels } = engine();

/** What the worker does: the layout's own text, and an answer to each message. */
const code = (): string =>
  `const { placeLevels } = (${engine.toString()})(); onmessage = ({ data: [plan, before] }) => postMessage(placeLevels(plan, before));`;

export function createLayouter(life: AbortSignal): Layouter {
  let memory: Memory = new Map();
  let worker: Worker | null = null;
  let isBusy = false;
  let mayWork = typeof Worker === "function" && typeof Blob === "function";
  const end = (): void => {
    worker?.terminate();
    worker = null;
    isBusy = false;
  };
  life.addEventListener("abort", end);

  function start(): Worker | null {
    const url = URL.createObjectURL(new Blob([code()], { type: "text/javascript" }));
    try {
      return new Worker(url);
    } catch {
      mayWork = false;
      return null;
    } finally {
      // The worker has its text when its first message comes; the address must live until then.
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
  }

  return {
    memory: () => memory,
    place(plan, then, patient = true) {
      if (isBusy) end();
      const done = (placements: Memory): void => {
        memory = new Map([...memory, ...placements]);
        then(placements);
      };
      const paths = new Set(plan.levels.map(({ path }) => path));
      const before: Memory = new Map([...memory].filter(([path]) => paths.has(path)));
      const size = plan.levels.reduce((sum, level) => sum + level.items.size, 0);
      if (patient && mayWork && size > AT_ONCE) worker ??= start();
      if (!patient || !mayWork || size <= AT_ONCE || !worker) {
        done(placeLevels(plan, before));
        return;
      }
      const own = worker;
      isBusy = true;
      own.onmessage = ({ data }: MessageEvent<Memory>) => {
        isBusy = false;
        if (!life.aborted) done(data);
      };
      own.onerror = (event) => {
        event.preventDefault();
        end();
        mayWork = false;
        if (!life.aborted) done(placeLevels(plan, before));
      };
      own.postMessage([plan, before]);
    },
  };
}
