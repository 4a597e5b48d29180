import { defineConfig } from "vitest/config";

export default defineConfig({
  // Two busy cores draw slowly in a page that is only imitated: a test is late long before it hangs.
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"], testTimeout: 60_000 },
});
