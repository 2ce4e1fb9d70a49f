import { Validations } from 'aws-cdk-lib/core';
import type { App } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Has the synthesis checked against the AwsSolutions rules; a finding that nobody accepted fails it. */
export const addChecks = (app: App): App => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  return app;
};
