// The page that tools/vscode_check.py opens: what VS Code's own renderer of widgets draws, from a kernel of a Jupyter server.
// It does what the Jupyter extension's web view does: requirejs finds a widget's script, and the renderer's WidgetManager, connected
// to the kernel, draws each output that is a widget.
import { KernelManager, ServerConnection } from "@jupyterlab/services";
import { activate } from "@vscode/jupyter-ipywidgets8";

const WIDGET = "application/vnd.jupyter.widget-view+json";

// Runs the cells in a new kernel of the server at `baseUrl` and puts their widgets into `place`, one after the other.
window.runCells = async (baseUrl, cells, place) => {
  const serverSettings = ServerConnection.makeSettings({ baseUrl, wsUrl: baseUrl.replace("http", "ws") });
  const kernel = await new KernelManager({ serverSettings }).startNew({ name: "python3" });
  window.requirejs.config({ paths: { anywidget: "./anywidget/index" } });
  const failed = [];
  const scripts = {
    widgetsRegisteredInRequireJs: new Set(["anywidget"]),
    loadWidgetScript: async (name) => failed.push(`no script is known for ${name}`),
    errorHandler: (name, module, version, error) => failed.push(`${module}.${name} ${version}: ${error}`),
    successHandler: () => {},
  };
  activate();
  window.vscIPyWidgets8.load();
  const manager = new window.vscIPyWidgets.WidgetManager(kernel, place, scripts, () => {});
  for (const code of cells) {
    const run = kernel.requestExecute({ code });
    const shown = [];
    run.onIOPub = ({ content }) => {
      if (content.data?.[WIDGET]) shown.push(content.data[WIDGET].model_id);
      if (content.traceback) failed.push(`${content.ename}: ${content.evalue}`);
    };
    await run.done;
    for (const id of shown) {
      const output = place.appendChild(document.createElement("div"));
      const view = await manager.create_view(await manager.get_model(id), { el: output });
      await manager.display_view({}, view, { node: output });
    }
  }
  return failed;
};
