import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "tfedu-elements/graph";
import "tfedu-elements/steps";
import type {} from "tfedu-elements/react";
import type { TraceRecord } from "tfedu-elements/records";

function Counter() {
  const [at, setAt] = useState({ run: 0, step: 0 });
  const [record, setRecord] = useState<TraceRecord>();
  useEffect(() => {
    fetch("run.json")
      .then((answer) => answer.json())
      .then(setRecord);
  }, []);
  return (
    <main>
      <h1>The counter</h1>
      <tfedu-graph src="graph.json" height="420" view={{ select: "bump" }}>
        <img src="graph.svg" alt="The graph of the counter: x, bump, and y behind bump." />
      </tfedu-graph>
      <p>
        Now its runs. You are at{" "}
        <output>
          run {at.run + 1}, step {at.step}
        </output>
        .{" "}
        <button type="button" onClick={() => setAt({ run: 1, step: 0 })}>
          Go to the second run
        </button>
      </p>
      {record && (
        <tfedu-steps
          record={record}
          view={at}
          ontfedu-position={({ detail }) => setAt({ run: detail.run ?? 0, step: detail.step })}
        >
          Three runs, which print 1, 2 and 3.
        </tfedu-steps>
      )}
    </main>
  );
}

createRoot(document.querySelector("#app") as HTMLElement).render(<Counter />);
