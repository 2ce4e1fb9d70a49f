/** Deploy guard: reads the account before a deployment, and lists the losses of the deployment. */
import { factsOf, lossesOf, type Template, type Templates } from './deployment-losses.ts';

/** Facts of the account that the guard reads. */
export interface Account {
  /** The template of a deployed stack; `undefined` when there is no such stack. */
  template(stack: string): Promise<Template | undefined>;
  hasTable(name: string): Promise<boolean>;
  /** Concurrent executions of all functions of the account in the region; `undefined` when the caller may not ask. */
  concurrency(): Promise<number | undefined>;
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

const concurrencyLines = async (account: Account, reserving: boolean): Promise<readonly string[]> => {
  const concurrency = await account.concurrency();
  if (concurrency === undefined || concurrency >= usualConcurrency) return [];
  const lines = [
    `Warning: this account runs ${concurrency} functions at once; ${usualConcurrency} is usual. Imports and exports of one`,
    'client can use all of them, and other requests get 503. Ask for more in Service Quotas (Lambda, L-B99A9384).',
  ];
  return reserving
    ? [...lines, 'AWS refuses the reservations of this stage below that: set "reserveConcurrency": false.']
    : lines;
};

const reserves = (next: Templates): boolean =>
  [...next.values()].some(({ Resources }) =>
    Object.values(Resources).some(
      // A closed function reserves 0.
      ({ Properties: { ReservedConcurrentExecutions: reserved = 0 } }) => reserved !== 0,
    ),
  );

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

/**
 * Judges the deployment of a stage. It may not go on when it would take something away and the operator did not allow
 * that, or when it would make a new key for the table of an earlier stack.
 */
export const judge = async (
  { stage, allowRemoval }: { readonly stage: string; readonly allowRemoval: boolean },
  next: Templates,
  account: Account,
): Promise<Verdict> => {
  const found = await Promise.all(
    [...next.keys()].map(async (name) => [name, await account.template(name)] as const),
  );
  const deployed = new Map(
    found.flatMap(([name, template]) => (template ? [[name, template] as const] : [])),
  );
  const warnings = await concurrencyLines(account, reserves(next));
  if (deployed.size === 0) {
    const refusal = await unreadableTable(stage, next, account);
    return {
      admitted: refusal === undefined,
      lines: [...warnings, ...(refusal === undefined ? [] : [refusal])],
    };
  }
  const losses = lossesOf(deployed, next);
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
