// One cold start in a process of its own: loads a bundle, calls its handler once, and reports the times to the parent.
// Plain JavaScript, so that nothing but the bundle is loaded while the time runs.
process.once('message', async ({ file, exportName, event, context }) => {
  const before = process.cpuUsage();
  const started = performance.now();
  const bundle = await import(file);
  const loaded = performance.now();
  const report = { answer: undefined, failure: undefined };
  try {
    if (event !== undefined)
      report.answer = await bundle[exportName](event, { ...context, getRemainingTimeInMillis: () => 29_000 });
  } catch (error) {
    report.failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const ended = performance.now();
  const { user, system } = process.cpuUsage(before);
  const times = { loadMs: loaded - started, firstCallMs: ended - loaded, cpuMs: (user + system) / 1000 };
  process.send({ ...report, ...times }, () => process.exit(0));
});
