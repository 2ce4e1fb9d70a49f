/** Synthesizes the stacks of one stage: `cdk synth -c stage=dev`. */
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { buildCheckedApp } from '../lib/checks.ts';
import { ConfigurationError } from '../lib/config/stages.ts';

const Context = v.record(v.string(), v.unknown());

/** Keys of the CDK itself: those of its libraries have a colon or an @, that of its command line is in cdk.json. */
const isOfCdk = (key: string): boolean => /[:@]/.test(key) || key === 'cli-telemetry';

/** What the command line was given, without the CDK's own keys. */
const givenContext = (): Record<string, unknown> => {
  const all = v.parse(Context, new App({ autoSynth: false }).node.getAllContext());
  return Object.fromEntries(Object.entries(all).filter(([key]) => !isOfCdk(key)));
};

try {
  const { stage = 'dev', ...context } = givenContext();
  buildCheckedApp({ stage: v.parse(v.string(), stage), context });
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
