import { App, Tags } from 'aws-cdk-lib/core';
import { manifest } from '../functions/manifest.ts';
import { featureFlags } from './config/flags.ts';
import { resolveStage, STAGE_TAG, type Stage } from './config/stages.ts';
import { bundleFunctions } from './constructs/bundle.ts';
import type { Service } from './constructs/service.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ExportStack } from './stacks/export-stack.ts';
import { ImportStack } from './stacks/import-stack.ts';
import { OpsStack } from './stacks/ops-stack.ts';

export interface AppProps {
  /** Name of a stage: `local`, `dev` or `prod`. */
  readonly stage: string;
  /** Settings of the operator, in place of the defaults of the stage. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** AWS account and region of the deployment. Without them the templates fit every account and region. */
  readonly environment?: Stage['environment'] | undefined;
  /** Folder of the cloud assembly. The default is the CDK's choice. */
  readonly outdir?: string;
  /** Compares the templates with CloudFormation's schemas. This takes a second, so a local start leaves it out. */
  readonly validate?: boolean;
  /** Makes the folder of bundled code of each function. By default the app bundles all functions. */
  readonly bundle?: (manifest: Service['manifest']) => ReadonlyMap<string, string>;
}

/**
 * The whole service as a CDK app. A synthesis in this process and a synthesis through the command line give the same
 * stacks. @throws ConfigurationError for an unknown stage or an invalid setting.
 */
export const buildApp = ({ stage, settings = {}, outdir, ...props }: AppProps): App => {
  const { validate = false, bundle = bundleFunctions, environment } = props;
  const settled = resolveStage(stage, settings, environment);
  const app = new App({
    analyticsReporting: false,
    context: featureFlags,
    builtinCloudFormationValidation: validate,
    ...(outdir !== undefined && { outdir }),
  });
  // The bill shows the cost of a stage by this tag.
  Tags.of(app).add(STAGE_TAG, stage);
  const own = Object.fromEntries(
    Object.entries(manifest).filter(
      ([, { localOnly, optional }]) =>
        (localOnly !== true || stage === 'local') && (optional === undefined || settled[optional]),
    ),
  );
  const service: Service = { stage: settled, manifest: own, code: bundle(own) };
  const data = new DataStack(app, service);
  const api = new ApiStack(app, service, data);
  const imports = new ImportStack(app, service, data, api);
  const exports = new ExportStack(app, service, { data, api, imports });
  new OpsStack(app, service, { data, api, imports, exports });
  return app;
};
