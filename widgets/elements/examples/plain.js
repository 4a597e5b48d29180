const steps = document.querySelector("tfedu-steps");
const at = document.querySelector("#at");

steps.addEventListener("tfedu-position", ({ detail }) => {
  at.textContent = `run ${detail.run + 1}, step ${detail.step}`;
});
document.querySelector("#go").addEventListener("click", () => {
  steps.view = { run: 1, step: 0 };
});
