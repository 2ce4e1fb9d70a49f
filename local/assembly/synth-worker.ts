/** Synthesizes the stacks of the service in a worker thread; see `synth.ts`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { buildApp } from '../../lib/app.ts';

const Options = v.object({
  stage: v.string(),
  context: v.record(v.string(), v.string()),
  outdir: v.string(),
});

const { context, ...options } = v.parse(Options, workerData);
buildApp({ ...options, settings: context }).synth();
