import { describe, expect, it } from 'vitest';
import { awsAccount, serviceAddress } from '../../cli/aws-account.ts';
import { readDeployArguments } from '../../cli/deploy-arguments.ts';
import { judge, type Account } from '../../cli/deploy-guard.ts';
import { lossesOf, type Templates } from '../../cli/deployment-losses.ts';
import { synthesized, templatesOf } from '../infra/stacks.ts';
import { answeringAws, cloudFormationAnswer, stackAnswer } from './answering-aws.ts';

const environment = { account: '123456789012', region: 'eu-central-1' };

const templates = (
  stage: string,
  settings: Readonly<Record<string, unknown>> = {},
  here = false,
): Templates => templatesOf(synthesized(stage, { settings, ...(here && { environment }) }));

const keyArn = 'arn:aws:kms:eu-central-1:123456789012:key/1';
/** Pages and tickets have a subscription each. */
const endOfMails = ['pages', 'tickets'].map(
  (topic) => `the mails about alarms to on-call@example.org (${topic}Mail): deleted`,
);
const mails = { alarmEmail: 'on-call@example.org', senderEmail: 'exports@example.org' };

describe('what a deployment takes away', () => {
  it('the same settings take nothing away', () => {
    expect(lossesOf(templates('prod', mails), templates('prod', mails))).toEqual([]);
  });

  it('a template for one account takes nothing away from a template for every account', () => {
    expect(lossesOf(templates('prod'), templates('prod', {}, true))).toEqual([]);
  });

  it('a setting that is missing is named with its value, and so are the mails that end with it', () => {
    expect(lossesOf(templates('prod', mails), templates('prod'))).toEqual([
      ...endOfMails,
      'the setting alarmEmail ("on-call@example.org"): undone',
      'the setting senderEmail ("exports@example.org"): undone',
    ]);
  });

  it('the settings of an incident come and go without a loss', () => {
    const usual = templates('prod');
    for (const settings of [{ closed: true }, { gradualShift: false }]) {
      const during = templates('prod', settings);
      expect(lossesOf(during, usual)).toEqual([]);
      expect(lossesOf(usual, during)).toEqual([]);
    }
  });

  it('another address for alarms ends the mails to the address before', () => {
    const next = templates('prod', { ...mails, alarmEmail: 'new@example.org' });
    expect(lossesOf(templates('prod', mails), next)).toEqual(endOfMails);
  });

  it.each([
    ['dev', {}, 'deleted'],
    ['prod', { sftp: false }, 'kept, but no longer part of the stage'],
  ])('without the SFTP server, %s loses its address and host key', (stage, settings, end) => {
    const losses = lossesOf(templates(stage, { sftp: true }), templates(stage, settings));
    expect(losses.filter((one) => one.startsWith('the SFTP server'))).toEqual([
      expect.stringMatching(
        new RegExp(`^the SFTP server with its address and host key \\(SftpServer\\w*\\): ${end}$`),
      ),
    ]);
  });

  it('a restored table takes the place of another table, and the keys of an earlier stack that of its keys', () => {
    const next = templates('prod', { tableName: 'restored', dataKeyArn: keyArn, propertyKeyArn: keyArn });
    const losses = lossesOf(templates('prod'), next).map((one) => one.replace(/\(\w+\)/, '(…)'));
    const kept = 'kept, but no longer part of the stage';
    expect(losses.toSorted()).toEqual([
      `a key (…): ${kept}`,
      `a key (…): ${kept}`,
      `the table tidemark-prod (…): ${kept}`,
    ]);
  });

  it('messages, schedules, addresses and logs are named too', () => {
    const [[name, template] = ['', undefined]] = [...templates('dev')].filter(([stack]) =>
      stack.endsWith('-export'),
    );
    const next = new Map(templates('dev')).set(name, { ...(template ?? { Metadata: {} }), Resources: {} });
    const losses = lossesOf(templates('dev'), next);
    for (const what of [
      'the queue tidemark-dev-exportRuns with its messages',
      'the schedules of clients in the group tidemark-dev-exports',
      'the log /aws/lambda/tidemark-dev-planExport',
    ])
      expect(losses.filter((one) => one.startsWith(what))).toHaveLength(1);
  });
});

const accountWith = (deployed: Templates, more: Partial<Account> = {}): Account => ({
  template: (stack) => Promise.resolve(deployed.get(stack)),
  hasFailed: () => Promise.resolve(false),
  hasTable: () => Promise.resolve(false),
  concurrency: () => Promise.resolve(1_000),
  requestsPerSecond: () => Promise.resolve(10_000),
  tableUnits: () => Promise.resolve({ read: 40_000, write: 40_000 }),
  ...more,
});

describe('the decision about a deployment', () => {
  const prod = (allowRemoval = false) => ({ stage: 'prod', allowRemoval });

  it('a first deployment, and a deployment that takes nothing away, go on without a word', async () => {
    for (const deployed of [new Map(), templates('prod', mails)]) {
      const verdict = await judge(prod(), templates('prod', mails), accountWith(deployed));
      expect(verdict).toEqual({ admitted: true, lines: [] });
    }
  });

  it('a deployment that takes something away goes on only when the operator allows it', async () => {
    const account = accountWith(templates('prod', mails));
    const refused = await judge(prod(), templates('prod'), account);
    expect(refused.admitted).toBe(false);
    expect(refused.lines.at(0)).toBe('This deployment takes away from the stage prod:');
    expect(refused.lines.at(-1)).toContain('--allow-removal');
    const allowed = await judge(prod(true), templates('prod'), account);
    expect(allowed).toEqual({ admitted: true, lines: refused.lines.slice(0, -1) });
  });

  it('a deployment may leave the one table that it is told, and nothing else', async () => {
    const next = templates('prod', { ...mails, tableName: 'restored' });
    const leaving = { ...prod(), leaving: 'tidemark-prod' };
    const account = accountWith(templates('prod', mails));
    expect(await judge(leaving, next, account)).toEqual({ admitted: true, lines: [] });
    expect((await judge(prod(), next, account)).admitted).toBe(false);
    for (const more of [{ credentialsTableName: 'restored-too' }, { sftp: false }]) {
      const other = templates('prod', { ...mails, tableName: 'restored', ...more });
      expect((await judge(leaving, other, account)).admitted).toBe(false);
    }
  });

  it('new stacks do not go on beside a table of an earlier stack that they could not read', async () => {
    const asked: string[] = [];
    const account = accountWith(new Map(), {
      hasTable: (name) => {
        asked.push(name);
        return Promise.resolve(true);
      },
    });
    const refused = await judge(prod(true), templates('prod'), account);
    expect(refused.admitted).toBe(false);
    expect(refused.lines.join(' ')).toContain('The table tidemark-prod is there from an earlier stack');
    for (const settings of [{ propertyKeyArn: keyArn }, { earlierPropertyKeyArns: [keyArn] }])
      expect((await judge(prod(), templates('prod', settings), account)).admitted).toBe(true);
    expect(asked).toEqual(['tidemark-prod']);
  });

  it('a first deployment that failed is repeated, although it left an empty table', async () => {
    const there = { hasTable: () => Promise.resolve(true), hasFailed: () => Promise.resolve(true) };
    expect(await judge(prod(), templates('prod'), accountWith(new Map(), there))).toEqual({
      admitted: true,
      lines: [],
    });
    // CloudFormation still has the template of a stack that was never made.
    const withTemplates = accountWith(templates('prod', mails), there);
    expect(await judge(prod(), templates('prod'), withTemplates)).toEqual({ admitted: true, lines: [] });
  });

  it('a small quota of concurrent functions is told, and what AWS refuses because of it', async () => {
    const small = accountWith(new Map(), { concurrency: () => Promise.resolve(10) });
    const dev = await judge({ stage: 'dev', allowRemoval: false }, templates('dev'), small);
    expect(dev.admitted).toBe(true);
    expect(dev.lines.join(' ')).toContain('this account runs 10 functions at once; 1000 is usual');
    expect(dev.lines.join(' ')).not.toContain('reserveConcurrency');
    const withReservations = await judge(prod(), templates('prod'), small);
    expect(withReservations.lines.join(' ')).toContain('set "reserveConcurrency": false');
    const closing = templates('dev', { closed: true });
    const closed = await judge({ stage: 'dev', allowRemoval: false }, closing, small);
    expect(closed.lines.join(' ')).not.toContain('reserveConcurrency');
    expect(withReservations.lines.join(' ')).toContain('Exports can use 320 of the 10 functions');
    const without = templates('prod', { reserveConcurrency: false, exportJobs: 2, exportParts: 2 });
    expect((await judge(prod(), without, small)).lines).toHaveLength(2);
    const unknown = accountWith(new Map(), { concurrency: () => Promise.resolve(undefined) });
    expect((await judge(prod(), templates('prod'), unknown)).lines).toEqual([]);
  });
});

describe('the quotas of the account', () => {
  /** Each takes more than a usual account has. */
  const greedy = {
    ...{ gatewayRequestsPerSecond: 12_000, warmReadUnits: 50_000, warmWriteUnits: 50_000 },
    ...{ readExecutions: 500, exportJobs: 20 },
  };
  const judged = async (quotas: Partial<Account>) => {
    const account = accountWith(new Map(), quotas);
    return (await judge({ stage: 'prod', allowRemoval: false }, templates('prod', greedy), account)).lines;
  };

  it('each setting is told from what the account has', async () => {
    const more = 'Ask for more in Service Quotas.';
    expect(await judged({})).toEqual([
      'AWS refuses the 1060 executions that this stage reserves, because 100 must stay free: lower',
      'readExecutions, or set "reserveConcurrency": false.',
      'Exports can use 800 of the 1000 functions: lower exportJobs or exportParts.',
      `Warning: gatewayRequestsPerSecond is 12000, and this account has 10000. ${more}`,
      `Warning: warmReadUnits is 50000, and this account has 40000. ${more}`,
      `Warning: warmWriteUnits is 50000, and this account has 40000. ${more}`,
    ]);
  });

  it('that the caller may not ask for decide nothing', async () => {
    const unknown = () => Promise.resolve(undefined);
    const quotas = { requestsPerSecond: unknown, tableUnits: unknown, concurrency: unknown };
    expect(await judged(quotas)).toEqual([]);
  });
});

describe('the questions to the account', () => {
  const { answers, calls } = answeringAws();
  const account = () => awsAccount({ region: 'eu-central-1' });

  it('reads the template of a deployed stack as it was written', async () => {
    const body = '{&quot;Resources&quot;:{&quot;A&quot;:{&quot;Type&quot;:&quot;AWS::SQS::Queue&quot;}}}';
    const answer = cloudFormationAnswer('GetTemplate', `<TemplateBody>${body}</TemplateBody>`);
    answers.set('Action=GetTemplate', answer);
    const found = await account().template('tidemark-prod-data');
    expect(found?.Resources['A']).toMatchObject({ Type: 'AWS::SQS::Queue', DeletionPolicy: 'Delete' });
    expect(calls.at(-1)).toContain('StackName=tidemark-prod-data&TemplateStage=Original');
  });

  const refusal = (code: string, message: string): readonly [number, string] => [
    400,
    `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  ];

  it.each([
    ['ROLLBACK_COMPLETE', true],
    ['ROLLBACK_FAILED', true],
    ['UPDATE_ROLLBACK_COMPLETE', false],
  ])('the first deployment of a stack in %s has failed: %s', async (status, hasFailed) => {
    answers.set('Action=DescribeStacks', stackAnswer(`<StackStatus>${status}</StackStatus>`));
    expect(await account().hasFailed('tidemark-prod-data')).toBe(hasFailed);
  });

  it('tells a stack that does not exist from a question that is refused', async () => {
    answers.set('Action=DescribeStacks', refusal('ValidationError', 'Stack with id x does not exist'));
    expect(await account().hasFailed('x')).toBe(false);
    answers.set('Action=GetTemplate', refusal('ValidationError', 'Stack with id x does not exist'));
    expect(await account().template('x')).toBeUndefined();
    answers.set('Action=GetTemplate', refusal('AccessDenied', 'User is not authorized'));
    await expect(account().template('x')).rejects.toThrow('User is not authorized');
  });

  it('tells a table that is there from one that is not', async () => {
    answers.set('DescribeTable', [200, '{"Table":{}}']);
    expect(await account().hasTable('t')).toBe(true);
    answers.set('DescribeTable', [
      400,
      '{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"}',
    ]);
    expect(await account().hasTable('t')).toBe(false);
    answers.set('DescribeTable', [400, '{"__type":"com.amazon.coral.service#AccessDeniedException"}']);
    await expect(account().hasTable('t')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('reads the address of a stage from the output of its stack', async () => {
    const target = { kind: 'aws', stage: 'prod', account: '1', region: 'eu-central-1' } as const;
    const output =
      '<member><OutputKey>BaseUrl</OutputKey><OutputValue>https://a.example</OutputValue></member>';
    answers.set('Action=DescribeStacks', stackAnswer(`<Outputs>${output}</Outputs>`));
    expect(await serviceAddress(target)).toBe('https://a.example');
    expect(calls.at(-1)).toContain('StackName=tidemark-prod-api');
    answers.set('Action=DescribeStacks', stackAnswer('<Outputs></Outputs>'));
    await expect(serviceAddress(target)).rejects.toThrow('The stage prod has no address');
  });

  it('reads the quota of concurrent functions, and does without it where it may not ask', async () => {
    answers.set('/account-settings', [200, '{"AccountLimit":{"ConcurrentExecutions":10}}']);
    expect(await account().concurrency()).toBe(10);
    answers.set('/account-settings', [403, '{"__type":"AccessDeniedException","Message":"no"}']);
    expect(await account().concurrency()).toBeUndefined();
  });

  it('reads the rate of its APIs and the units of a table in the same way', async () => {
    answers.set('/account ', [200, '{"throttleSettings":{"rateLimit":2500,"burstLimit":1250}}']);
    expect(await account().requestsPerSecond()).toBe(2_500);
    answers.set('/account ', [403, '{"__type":"AccessDeniedException","Message":"no"}']);
    expect(await account().requestsPerSecond()).toBeUndefined();
    const units = '{"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":30000}';
    answers.set('DescribeLimits', [200, units]);
    expect(await account().tableUnits()).toEqual({ read: 40_000, write: 30_000 });
  });
});

describe('the arguments of a deployment', () => {
  it.each([
    [['-c', 'stage=prod', '--allow-removal'], 'prod', true, ['-c', 'stage=prod']],
    [
      ['--context=stage=prod', '--profile', 'shop'],
      'prod',
      false,
      ['--context=stage=prod', '--profile', 'shop'],
    ],
    [['--require-approval', 'never'], 'dev', false, ['--require-approval', 'never']],
  ])('%j', (given, stage, allowRemoval, forDeploy) => {
    expect(readDeployArguments(given)).toMatchObject({ stage, allowRemoval, forDeploy, help: false });
  });

  it('the synthesis gets the context and the profile, and nothing that only a deployment knows', () => {
    const { forSynth, profile } = readDeployArguments([
      ...['-c', 'stage=prod', '--profile=shop', '--require-approval', 'never'],
    ]);
    expect(forSynth).toEqual(['--context', 'stage=prod', '--profile', 'shop']);
    expect(profile).toBe('shop');
  });
});
