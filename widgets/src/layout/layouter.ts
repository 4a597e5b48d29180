/**
 * Lays out plans: small ones at once, large ones in a worker, which a newer plan ends. On pages that forbid workers, large
 * plans are laid out at once, too. State: the worker, and where every level was placed last, so that a scope that is opened
 * again looks as before, even if the picture without it was never laid out.
 */

import type { Memory, Plan } from "./place-levels";
import { layoutCode } from "./worker-code";

/** A smaller plan is laid out before a worker would have started. */
export const AT_ONCE = 60;

export interface Layouter {
  /** The latest placement of each level. */
  memory: () => Memory;
  /** A layout of a plan as if nothing had been drawn before; it is not remembered. */
  measure: (plan: Plan) => Memory;
  /** Makes these the latest placements: a plan that led to them is not laid out again. */
  remember: (placements: Memory) => void;
  /** Starts the worker, which takes longer than a layout: a large plan may follow. */
  expect: () => void;
  /** `then` receives the placements, unless a newer plan comes first. */
  place: (plan: Plan, then: (placements: Memory) => void, patient?: boolean) => void;
}

const { placeLevels } = layoutCode();

/** The worker's code: the text of the layout, and a reply to each message. */
const code = (): string =>
  `const { placeLevels } = (${layoutCode.toString()})(); onmessage = ({ data: [plan, before] }) => postMessage(placeLevels(plan, before));`;

export function createLayouter(life: AbortSignal): Layouter {
  let memory: Memory = new Map();
  let worker: Worker | null = null;
  /** The worker's current job. */
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
      const created = new Worker(url);
      created.onmessage = ({ data }: MessageEvent<Memory>) => {
        // A terminated worker's message belongs to an older plan.
        if (worker !== created) return;
        const own = job;
        job = null;
        own?.done(data);
      };
      created.onerror = (event) => {
        event.preventDefault();
        mayWork = false;
        const own = job;
        end();
        own?.done(placeLevels(own.plan, own.before));
      };
      return created;
    } catch {
      mayWork = false;
      return null;
    } finally {
      // The worker has loaded its code when it sends its first message; the URL must live until then.
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
  }

  const expect = (): void => {
    if (mayWork && !life.aborted) worker ??= start();
  };

  return {
    memory: () => memory,
    measure: (plan) => placeLevels(plan, new Map()),
    remember(placements) {
      memory = placements;
    },
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
