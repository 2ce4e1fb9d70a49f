import { Validations, type App } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { buildApp, type AppProps } from './app.ts';

/**
 * The app of `buildApp`, whose synthesis is checked against CloudFormation's own schemas and the AwsSolutions rules: a
 * finding that nobody accepted fails it. Not always on, because it takes longer than everything else together.
 */
export const buildCheckedApp = (props: AppProps): App => {
  const app = buildApp({ ...props, validate: true });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  return app;
};
