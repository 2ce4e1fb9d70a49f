import { Validations, type App } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { buildApp, type AppProps } from './app.ts';

/**
 * The app of `buildApp`, with a synthesis that fails for violations of CloudFormation's schemas and for unaccepted
 * findings of the AwsSolutions rules. The checks are a separate app because they take longer than the rest of the
 * synthesis.
 */
export const buildCheckedApp = (props: AppProps): App => {
  const app = buildApp({ ...props, validate: true });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  return app;
};
