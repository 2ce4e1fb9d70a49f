/** Deploy guard: reads the account before a deployment, and lists the losses of the deployment. */
import { resolveStage, type Stage } from '../lib/config/stages.ts';
import type { DeployArguments } from './deploy-arguments.ts';
import { factsOf, lossesOf, sentenceOfTable, type Template, type Templates } from './deployment-losses.ts';

/** Facts of the account that the guard reads. */
export interface Account {
  /** The template of a stack; `undefined` when there is no such stack. */
  template(stack: string): Promise<Template | undefined>;
  /** Whether the first deployment of a stack has failed: then the next one begins with its deletion. */
  hasFailed(stack: string): Promise<boolean>;
  hasTable(name: string): Promise<boolean>;
  /** Concurrent executions of all functions of the account in the region; `undefined` when the caller may not ask. */
  concurrency(): Promise<number | undefined>;
  /** Requests per second of all APIs of the account in the region; `undefined` when the caller may not ask. */
  requestsPerSecond(): Promise<number | undefined>;
  /** Request units per second that a table may have; `undefined` when the caller may not ask. */
  tableUnits(): Promise<{ readonly read: number; readonly write: number } | undefined>;
}

/** A decision about a deployment. */
export interface Verdict {
  /** Whether the deployment may go on. */
  readonly admitted: boolean;
  /** Lines for the operator, in this order. */
  readonly lines: readonly string[];
}

/** Concurrent executions of an account that AWS has not limited. */
const usualConcurrency = 1_000;

/** Executions that no function may reserve (Lambda Developer Guide, "Configuring reserved concurrency"). */
const unreserved = 100;

/** Executions that the functions of a stage reserve. */
const reservedBy = (next: Templates): number =>
  [...next.values()]
    .flatMap(({ Resources }) => Object.values(Resources))
    .map(({ Properties }) => Number(Properties['ReservedConcurrentExecutions'] ?? 0))
    .reduce((sum, reserved) => sum + reserved, 0);

const concurrencyLines = async (stage: Stage, next: Templates, account: Account) => {
  const concurrency = await account.concurrency();
  if (concurrency === undefined) return [];
  const lines: string[] = [];
  if (concurrency < usualConcurrency) {
    lines.push(
      `Warning: this account runs ${concurrency} functions at once; ${usualConcurrency} is usual. Imports and exports of one`,
      'client can use all of them, and other requests get 503. Ask for more in Service Quotas (Lambda, L-B99A9384).',
    );
  }
  const reserved = reservedBy(next);
  if (reserved > 0 && concurrency - reserved < unreserved) {
    lines.push(
      `AWS refuses the ${reserved} executions that this stage reserves, because ${unreserved} must stay free: lower`,
      'readExecutions, or set "reserveConcurrency": false.',
    );
  }
  const exporting = stage.exportJobs * stage.exportParts;
  if (exporting > concurrency / 2) {
    lines.push(
      `Exports can use ${exporting} of the ${concurrency} functions: lower exportJobs or exportParts.`,
    );
  }
  return lines;
};

/** Warnings about settings that are higher than a quota of the account. */
const quotaLines = async (stage: Stage, account: Account): Promise<readonly string[]> => {
  const [requests, units] = await Promise.all([account.requestsPerSecond(), account.tableUnits()]);
  const asked = [
    { setting: 'gatewayRequestsPerSecond', wanted: stage.gatewayRequestsPerSecond, quota: requests },
    { setting: 'warmReadUnits', wanted: stage.warmReadUnits, quota: units?.read },
    { setting: 'warmWriteUnits', wanted: stage.warmWriteUnits, quota: units?.write },
  ];
  return asked.flatMap(({ setting, wanted = 0, quota = wanted }) =>
    wanted > quota
      ? [`Warning: ${setting} is ${wanted}, and this account has ${quota}. Ask for more in Service Quotas.`]
      : [],
  );
};

/** A new key could not read the table of an earlier stack. */
const unreadableTable = async (
  stage: string,
  next: Templates,
  account: Account,
): Promise<string | undefined> => {
  const { propertyKeyArn, earlierPropertyKeyArns, tableName = `tidemark-${stage}` } = factsOf(next).given;
  if (propertyKeyArn !== undefined || earlierPropertyKeyArns !== undefined) return undefined;
  if (typeof tableName !== 'string' || !(await account.hasTable(tableName))) return undefined;
  return (
    `The table ${tableName} is there from an earlier stack, and tidemark.${stage}.json names no propertyKeyArn: ` +
    'a new key could not read it. See "Bring a stage back" in docs/deploying.md.'
  );
};

/** Those of some stacks whose first deployment has failed. They take nothing from a deployment. */
export const failedOf = async (
  stacks: readonly string[],
  account: Pick<Account, 'hasFailed'>,
): Promise<readonly string[]> => {
  const failed = await Promise.all(stacks.map((name) => account.hasFailed(name)));
  return stacks.filter((_, index) => failed[index]);
};

/** The templates of those stacks that exist. */
export const deployedOf = async (
  stacks: readonly string[],
  account: Pick<Account, 'template'>,
): Promise<Templates> => {
  const found = await Promise.all(stacks.map(async (name) => [name, await account.template(name)] as const));
  return new Map(found.flatMap(([name, template]) => (template ? [[name, template] as const] : [])));
};

/** The deployment to judge. It names its stage, and what the deployment may take away. */
export type Judged = Pick<DeployArguments, 'stage' | 'allowRemoval' | 'leaving'>;

/**
 * Judges the deployment of a stage. It may not go on when it would take something away and the operator did not allow
 * that, or when it would make a new key for the table of an earlier stack.
 */
export const judge = async (
  { stage, allowRemoval, leaving }: Judged,
  next: Templates,
  account: Account,
): Promise<Verdict> => {
  const failed = await failedOf([...next.keys()], account);
  const deployed = await deployedOf(
    [...next.keys()].filter((name) => !failed.includes(name)),
    account,
  );
  const settings = resolveStage(stage, factsOf(next).given);
  const warnings = [
    ...(await concurrencyLines(settings, next, account)),
    ...(await quotaLines(settings, account)),
  ];
  if (deployed.size === 0) {
    // The table of a deployment that failed has no data.
    const refusal = failed.length > 0 ? undefined : await unreadableTable(stage, next, account);
    return {
      admitted: refusal === undefined,
      lines: [...warnings, ...(refusal === undefined ? [] : [refusal])],
    };
  }
  const losses = lossesOf(deployed, next).filter(
    (loss) => leaving === undefined || !loss.startsWith(sentenceOfTable(leaving)),
  );
  if (losses.length === 0) return { admitted: true, lines: warnings };
  const lines = [
    ...warnings,
    `This deployment takes away from the stage ${stage}:`,
    ...losses.map((loss) => `  - ${loss}`),
    ...(allowRemoval
      ? []
      : ['Nothing was deployed. If you mean it, repeat the command with --allow-removal.']),
  ];
  return { admitted: allowRemoval, lines };
};

/**
 * Judges the removal of a stage. A stage that keeps its data goes only when the operator has named it once more, because
 * its clients lose their address, and messages and schedules end.
 */
export const judgeRemoval = (
  { stage, confirm }: { readonly stage: string; readonly confirm: string | undefined },
  deployed: Templates,
): Verdict => {
  if (deployed.size === 0) return { admitted: false, lines: [`The stage ${stage} has no stacks here.`] };
  const { keepData } = resolveStage(stage, {});
  const isNamed = !keepData || confirm === stage;
  return {
    admitted: isNamed,
    lines: [
      `The removal of the stage ${stage} takes away:`,
      ...lossesOf(deployed, new Map()).map((loss) => `  - ${loss}`),
      ...(isNamed
        ? []
        : [`Nothing was removed. If you mean it, repeat the command with --confirm ${stage}.`]),
    ],
  };
};
