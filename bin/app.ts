/** Synthesizes the stacks of one stage: `cdk synth -c stage=dev`. */
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { buildCheckedApp } from '../lib/checks.ts';
import { ConfigurationError } from '../lib/config/stages.ts';

const Context = v.record(v.string(), v.unknown());

/**
 * Context keys of the CDK itself: the keys of its libraries have a colon or an @, and the key of its command line is in
 * cdk.json.
 */
const isOfCdk = (key: string): boolean => /[:@]/.test(key) || key === 'cli-telemetry';

/** The context of the command line, without the CDK's own keys. */
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
