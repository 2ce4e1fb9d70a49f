/** Synthesizes the stacks of one stage, with the settings in its file: `npm run synth -- -c stage=dev`. */
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { buildCheckedApp } from '../lib/checks.ts';
import type { AppProps } from '../lib/app.ts';
import { ConfigurationError, parseSettings, readSettings, settingsFileOf } from '../lib/config/settings.ts';

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

/**
 * The settings of a stage: of its file in AWS, of the command line on one machine. @throws ConfigurationError for a
 * setting in the wrong place.
 */
const settingsOf = (
  stage: string,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  if (stage === 'local') return given;
  const names = Object.keys(parseSettings(given)).join(', ');
  if (names === '') return readSettings(process.cwd(), stage);
  const file = settingsFileOf(stage);
  throw new ConfigurationError(
    `Write ${names} into ${file}: the next deployment would undo a setting of the command line.`,
  );
};

/** The account and region that the command line of the CDK found in the credentials, if any. */
const environmentOf = ({
  CDK_DEFAULT_ACCOUNT: account,
  CDK_DEFAULT_REGION: region,
}: NodeJS.ProcessEnv): AppProps['environment'] =>
  account === undefined || region === undefined ? undefined : { account, region };

try {
  const { stage: given = 'dev', ...context } = givenContext();
  const stage = v.parse(v.string(), given);
  const environment = environmentOf(process.env);
  buildCheckedApp({ stage, settings: settingsOf(stage, context), environment });
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
