/** Costs of use: computes the price of a million of each thing. It takes the stored counts and the list prices. */
import { limits } from '../../shared/config/limits.ts';
import { largestRun, type Result } from './results.ts';
import { prices } from '../../test/support/prices.ts';

/** A thing that is paid for, and its cost in dollars by service. */
interface UseCost {
  readonly item: string;
  /** The request units of one: R of reads, W of writes. */
  readonly counted: string;
  readonly tables: number;
  readonly gateway: number;
  readonly functions: number;
  readonly logs: number;
  readonly auditLog: number;
}

/** Milliseconds that a call of a table or of S3 takes in AWS: an estimate, until a deployment is measured. */
const CALL_MS = 5;

/** Memory of a function that has one vCPU (Lambda Developer Guide). */
const VCPU_MB = 1_769;

/**
 * Log bytes of a request: our line, the line of the access log, and `START`, `END` and `REPORT` of Lambda; and the 26 bytes
 * that CloudWatch Logs adds to each of the five.
 */
const REQUEST_LOG_BYTES = 275 + 230 + 77 + 51 + 160 + 5 * 26;

/** An entry of the audit log with its names and DynamoDB's overhead of 100 bytes, for 400 days. */
const ENTRY_BYTES = 358;
const ENTRY_MONTHS = (400 / 365) * 12;
const auditEntry = prices.rareWriteUnit + (ENTRY_BYTES / 1e9) * ENTRY_MONTHS * prices.rareGigabyte;

/** Dollars of a call that waits for calls in sequence, and computes for milliseconds of one vCPU. */
const callCost = (inSequence: number, processorMs: number, memoryMb: number): number => {
  const ms = inSequence * CALL_MS + processorMs * Math.max(1, VCPU_MB / memoryMb);
  return prices.call + (ms / 1_000) * (memoryMb / 1_024) * prices.gigabyteSecond;
};

const units = (reads: number, writes: number): number => reads * prices.readUnit + writes * prices.writeUnit;

/** A count of a scenario at its largest size. @throws when the results lack it. */
const counts = (results: readonly Result[]) => (scenario: string, name: RegExp, unit: string) => {
  const found = results.find((one) => one.name === scenario);
  const run = found && largestRun(found);
  const figure = run?.figures.findLast((one) => name.test(one.name) && one.unit === unit);
  if (!figure) throw new Error(`The results have no ${String(name)} of ${scenario}`);
  return figure.value;
};

const MILLION = 1e6;
const rounded = (value: number): string => value.toFixed(value < 20 ? 1 : 0);

interface Request {
  readonly item: string;
  readonly scenario: string;
  /** Begins the names of its figures. */
  readonly of: string;
  readonly unit: string;
  /** Its name in the scenario `round-trips`. */
  readonly sequence: string;
  readonly memoryMb: number;
}

/** Requests in the table: a million of each. */
const requests: readonly Request[] = [
  {
    ...{ item: 'look up a million people', scenario: 'lookups', of: '', unit: 'a lookup' },
    ...{ sequence: 'look up a profile', memoryMb: 512 },
  },
  {
    ...{ item: 'post a million new people', scenario: 'profiles', of: 'new people: ', unit: 'a profile' },
    ...{ sequence: 'store a new profile', memoryMb: 512 },
  },
  {
    ...{
      item: 'post a million known people',
      scenario: 'profiles',
      of: 'known people: ',
      unit: 'a profile',
    },
    ...{ sequence: 'store a known profile', memoryMb: 512 },
  },
  {
    ...{
      item: 'read a million pages of 1,000',
      scenario: 'pages',
      of: 'everyone: ',
      unit: 'a page',
    },
    ...{ sequence: 'read a page of a segment', memoryMb: 1_024 },
  },
  {
    ...{ item: 'the same, scattered people', scenario: 'pages', of: 'every tenth: ', unit: 'a page' },
    ...{ sequence: 'read a page of a segment', memoryMb: 1_024 },
  },
];

/** A scheduled function counts sizes every two minutes, and every property each quarter of an hour: calls in a month. */
const QUARTERS = 730 * 4;
const TWO_MINUTES = 730 * 30;

type Count = ReturnType<typeof counts>;

const none = { gateway: 0, functions: 0, logs: 0, auditLog: 0 };
const workerSecond = (VCPU_MB / 1_024) * prices.gigabyteSecond;

const ofRequests = (count: Count, request: Request): UseCost => {
  const { item, scenario, of, unit, sequence, memoryMb } = request;
  const figure = (name: string, per = unit): number => count(scenario, new RegExp(`^${of}${name}$`), per);
  const reads = figure('read units');
  // A page writes the entry of the audit log alone.
  const writes = scenario === 'pages' ? 1 : figure('write units');
  const inSequence = count('round-trips', new RegExp(`^${sequence}: in sequence$`), 'calls');
  return {
    item,
    counted: `${rounded(reads)} R, ${rounded(writes)} W`,
    // One of the write units is the entry of the audit log.
    tables: MILLION * units(reads, Math.max(0, writes - 1)),
    gateway: MILLION * prices.request,
    functions: MILLION * callCost(inSequence, figure('processor time, functions', `ms ${unit}`), memoryMb),
    logs: MILLION * (REQUEST_LOG_BYTES / 1e9) * prices.logGigabyte,
    auditLog: MILLION * auditEntry,
  };
};

const ofRows = (count: Count): UseCost => {
  const [reads, writes] = [
    count('import', /: read units$/, 'a row'),
    count('import', /: write units$/, 'a row'),
  ];
  return {
    ...none,
    item: 'import a million rows',
    counted: `${rounded(reads)} R, ${rounded(writes)} W`,
    tables: MILLION * units(reads, writes),
    functions: (MILLION / limits.imports.rowsPerWorkerSecond) * workerSecond,
  };
};

const ofExports = (count: Count): UseCost => ({
  ...none,
  item: 'export a million people',
  // A read unit is 4 KB, which hold eight or nine people.
  counted: '0.12 R',
  tables: MILLION * units(0.12, 0),
  functions: count('exports', /^plain: processor time(, functions)?$/, 'µs a profile') * workerSecond,
});

const kept: readonly UseCost[] = [
  {
    ...none,
    item: 'a million people, a month',
    counted: '1 GB',
    tables: prices.storedGigabyte + prices.recoveredGigabyte,
  },
  {
    ...none,
    item: '1,000 empty properties, a month',
    counted: '2 R in 2 minutes',
    tables: 1_000 * TWO_MINUTES * units(2, 0),
  },
  {
    ...none,
    item: '1,000 idle properties, a month',
    counted: '2.9 R a minute',
    // Of the 21 R, 18 are looks for changes: four or five periods in four partitions.
    tables: 1_000 * (TWO_MINUTES * units(3, 0) + QUARTERS * units(21, 1)),
  },
];

/** The costs of use, from the counts of the stored results. */
const useCosts = (results: readonly Result[]): readonly UseCost[] => {
  const count = counts(results);
  const asked = requests.map((request) => ofRequests(count, request));
  return [ofRows(count), ...asked, ofExports(count), ...kept];
};

/** The sum of a cost. */
const sumOf = ({ tables, gateway, functions, logs, auditLog }: UseCost): number =>
  tables + gateway + functions + logs + auditLog;

/** Dollars, with cents below a hundred. */
const dollars = (value: number): string =>
  value === 0 ? '' : `$${value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US')}`;

/** The table of the page. */
export const costsTable = (results: readonly Result[]): string => {
  const rows = useCosts(results).map((cost) => {
    const { item, counted, tables, gateway, functions, logs, auditLog } = cost;
    const parts = [tables, gateway, functions, logs, auditLog, sumOf(cost)].map(dollars);
    return `| ${item} | ${counted} | ${parts.join(' | ')} |`;
  });
  return [
    '| item | counted | tables | gateway | Lambda | logs | audit log | sum |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
};
