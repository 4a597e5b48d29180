/**
 * Lays out plans: small ones at once, large ones in a worker, which a newer plan ends. Where no worker may be made, as some
 * pages have it, large ones are laid out at once, too. State: the worker, and where everything stands now, or stood when it
 * was there: what is opened again is as it was, whether or not the picture without it came to be laid out.
 */

import type { Memory, Plan } from "./place-levels";
import { engine } from "./worker-code";

/** Less than this is laid out before a worker would have begun. */
export const AT_ONCE = 60;

export interface Layouter {
  /** Where everything stands now, or stood last. */
  memory: () => Memory;
  /** A large plan may come: its worker begins now, which takes longer than the layout. */
  expect: () => void;
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
  /** What the worker is at. */
  let job: { plan: Plan; before: Memory; done: (placements: Memory) => void } | null = null;
  let mayWork = typeof Worker === "function" && typeof Blob === "function";
  const end = (): void => {
    worker?.terminate();
    worker = null;
    job = null;
  };
  life.addEventListener("abort", end);

  function start(): Worker | null {
    const url = URL.createObjectURL(new Blob([code()], { type: "text/javascript" }));
    try {
      const made = new Worker(url);
      made.onmessage = ({ data }: MessageEvent<Memory>) => {
        // What an ended one still had to say is of an older plan.
        if (worker !== made) return;
        const own = job;
        job = null;
        own?.done(data);
      };
      made.onerror = (event) => {
        event.preventDefault();
        mayWork = false;
        const own = job;
        end();
        own?.done(placeLevels(own.plan, own.before));
      };
      return made;
    } catch {
      mayWork = false;
      return null;
    } finally {
      // The worker has its text when its first message comes; the address must live until then.
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
  }

  const expect = (): void => {
    if (mayWork && !life.aborted) worker ??= start();
  };

  return {
    memory: () => memory,
    expect,
    place(plan, then, patient = true) {
      if (job) end();
      const done = (placements: Memory): void => {
        memory = new Map([...memory, ...placements]);
        then(placements);
      };
      const paths = new Set(plan.levels.map(({ path }) => path));
      const before: Memory = new Map([...memory].filter(([path]) => paths.has(path)));
      const size = plan.levels.reduce((sum, level) => sum + level.items.size, 0);
      if (patient && size > AT_ONCE) expect();
      if (!patient || size <= AT_ONCE || !worker) {
        done(placeLevels(plan, before));
        return;
      }
      job = { plan, before, done };
      worker.postMessage([plan, before]);
    },
  };
}
