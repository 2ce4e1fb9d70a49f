/** Synthesizes the stacks of the service in a worker thread; see `synth.ts`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { buildApp } from '../../../lib/app.ts';

const Options = v.object({ settings: v.record(v.string(), v.string()), outdir: v.string() });

buildApp({ stage: 'local', ...v.parse(Options, workerData) }).synth();
