/** The table of all widgets: Python's trait `kind`, and what is drawn for it. */
import type { Key } from "../i18n";
import type { Widget } from "../widget";
import { beTheExecutor } from "./be-the-executor";
import { buildFilm } from "./build-film";
import { compare } from "./compare";
import { gradientFlow } from "./gradient-flow";
import { graphDiff } from "./graph-diff";
import { graphView } from "./graph-view";
import { lint } from "./lint";
import { outcomeExplorer } from "./outcome-explorer";
import { passes } from "./passes";
import { pipelineView } from "./pipeline-view";
import { predict } from "./predict";
import { puzzle } from "./puzzle";
import { reads } from "./reads";
import { selfCheck } from "./self-check";
import { stepThrough } from "./step-through";
import { trainingView } from "./training-view";
import { value } from "./value";

/** `title`: the default title. `grows`: the widget itself watches its record for news. */
export const WIDGETS: Record<string, { widget: Widget<never>; title: Key; grows?: boolean }> = {
  "be-the-executor": { widget: beTheExecutor as Widget<never>, title: "play.default_title" },
  "graph-view": { widget: graphView as Widget<never>, title: "graph.default_title" },
  "step-through": { widget: stepThrough as Widget<never>, title: "steps.default_title" },
  compare: { widget: compare as Widget<never>, title: "compare.default_title" },
  "gradient-flow": { widget: gradientFlow as Widget<never>, title: "flow.default_title" },
  parsons: { widget: puzzle as Widget<never>, title: "puzzle.parsons_title" },
  repair: { widget: puzzle as Widget<never>, title: "puzzle.repair_title" },
  lint: { widget: lint as Widget<never>, title: "lint.default_title" },
  "graph-diff": { widget: graphDiff as Widget<never>, title: "diff.default_title" },
  predict: { widget: predict as Widget<never>, title: "predict.default_title" },
  "self-check": { widget: selfCheck as Widget<never>, title: "predict.default_title" },
  outcomes: { widget: outcomeExplorer as Widget<never>, title: "outcomes.default_title" },
  "build-film": { widget: buildFilm as Widget<never>, title: "film.default_title" },
  passes: { widget: passes as Widget<never>, title: "passes.default_title" },
  pipeline: { widget: pipelineView as Widget<never>, title: "pipeline.default_title" },
  reads: { widget: reads as Widget<never>, title: "reads.default_title", grows: true },
  value: { widget: value as Widget<never>, title: "value.default_title" },
  training: { widget: trainingView as Widget<never>, title: "training.default_title", grows: true },
};
