import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../lib/config/settings.ts';
import { resolveStage } from '../../lib/config/stages.ts';

const example = v.parse(
  v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
  readFileSync(resolve(import.meta.dirname, '../../tidemark.example.json'), 'utf8'),
);

describe('stages', () => {
  it('only the local stage may reach private addresses, and only on request', () => {
    expect(resolveStage('local', {}).privateTargets).toBe('none');
    expect(resolveStage('local', { allowPrivateTargets: 'false' }).privateTargets).toBe('none');
    expect(resolveStage('local', { allowPrivateTargets: 'true' }).privateTargets).toBe('loopback');
  });

  it('every stage except dev has an SFTP server, and dev has a server on request', () => {
    expect(['local', 'dev', 'prod'].map((name) => resolveStage(name, {}).sftp)).toEqual([true, false, true]);
    expect(resolveStage('dev', { sftp: 'true' }).sftp).toBe(true);
    expect(resolveStage('prod', { sftp: 'false' }).sftp).toBe(false);
  });

  it('only prod reserves concurrency by default, because a new AWS account has none to spare', () => {
    const reserve = (name: string, context = {}) => resolveStage(name, context).reserveConcurrency;
    expect(['local', 'dev', 'prod'].map((name) => reserve(name))).toEqual([false, false, true]);
    expect(reserve('prod', { reserveConcurrency: 'false' })).toBe(false);
    expect(reserve('dev', { reserveConcurrency: 'true' })).toBe(true);
  });

  it('no stage is closed by default, and each can be', () => {
    for (const name of ['local', 'dev', 'prod']) {
      expect(resolveStage(name, {}).closed).toBe(false);
      expect(resolveStage(name, { closed: 'true' }).closed).toBe(true);
    }
  });

  it('only the local stage deflates profiles by default: an upgrade from 0.2.0 must not, and a new stage says so', () => {
    const deflates = (name: string, settings = {}) => resolveStage(name, settings).deflateProfiles;
    expect(['local', 'dev', 'prod'].map((name) => deflates(name))).toEqual([true, false, false]);
    expect(deflates('local', { deflateProfiles: 'false' })).toBe(false);
    expect(deflates('prod', example)).toBe(true);
  });

  it('the same stages take conditions', () => {
    const takes = (name: string, settings = {}) => resolveStage(name, settings).conditions;
    expect(['local', 'dev', 'prod'].map((name) => takes(name))).toEqual([true, false, false]);
    expect(takes('local', { conditions: 'false' })).toBe(false);
    expect(takes('prod', example)).toBe(true);
  });

  it('exports leave room to others: half of the ten functions of a new account, and of the 1,000 of a usual one', () => {
    const parts = (name: string, settings = {}): number => {
      const { exportJobs, exportParts } = resolveStage(name, settings);
      return exportJobs * exportParts;
    };
    expect(parts('dev')).toBeLessThanOrEqual(5);
    expect(parts('prod')).toBeLessThanOrEqual(500);
    expect(parts('prod', { reserveConcurrency: false })).toBe(parts('prod'));
    expect(parts('prod', { exportJobs: 2, exportParts: 2 })).toBe(4);
  });

  it('the rate of an account is a tenth of that of the gateway, and may be set', () => {
    expect(resolveStage('prod', {}).accountRequestsPerSecond).toBe(200);
    expect(resolveStage('prod', { gatewayRequestsPerSecond: 10_000 }).accountRequestsPerSecond).toBe(1_000);
    const both = { gatewayRequestsPerSecond: 10_000, accountRequestsPerSecond: 50 };
    expect(resolveStage('prod', both).accountRequestsPerSecond).toBe(50);
  });

  it('the example sets no ceiling below what a stage has without it', () => {
    const { reserveConcurrency, exportJobs, exportParts, readExecutions } = resolveStage('prod', {});
    expect(resolveStage('prod', example)).toMatchObject({
      ...{ reserveConcurrency, exportJobs, exportParts, readExecutions },
    });
  });

  it('stage settings may be given as text', () => {
    const stage = resolveStage('local', {
      momentIntervalSeconds: '5',
      accountRequestsPerSecond: '7',
      baseUrl: 'http://127.0.0.1:8080',
      alarmEmail: 'ops@example.com',
    });
    expect(stage).toMatchObject({
      momentIntervalSeconds: 5,
      accountRequestsPerSecond: 7,
      baseUrl: 'http://127.0.0.1:8080',
      alarmEmail: 'ops@example.com',
    });
  });

  it.each([
    ['production', {}, 'Unknown stage production: expected one of local, dev, prod.'],
    ['toString', {}, 'Unknown stage toString: expected one of local, dev, prod.'],
    ['dev', { region: 'x' }, 'Unknown setting region: expected one of'],
    ['dev', { allowPrivateTargets: 'true' }, 'The setting allowPrivateTargets is only for the stage local.'],
    ['dev', { demoAccounts: '[]' }, 'The setting demoAccounts is only for the stage local.'],
    ['prod', { demoAccounts: [] }, 'The setting demoAccounts is only for the stage local.'],
    ['local', { demoAccounts: '{}' }, 'Setting demoAccounts must be a list of accounts.'],
    [
      'local',
      { demoAccounts: '[{"username": "demo"}]' },
      'Setting demoAccounts.0.account must have account, client_id, username and password.',
    ],
    ['dev', { baseUrl: 'http://a.example' }, 'Setting baseUrl must begin with https: in the stage dev.'],
    ['dev', { baseUrl: 'https://a.example/' }, 'Setting baseUrl must be an origin'],
    ['dev', { momentIntervalSeconds: '0' }, 'Setting momentIntervalSeconds must be at least 1.'],
    ['dev', { momentIntervalSeconds: '1h' }, 'Setting momentIntervalSeconds must be a number of seconds.'],
    ['local', { allowPrivateTargets: 'yes' }, 'Setting allowPrivateTargets must be true or false.'],
    ['dev', { sftp: 'yes' }, 'Setting sftp must be true or false.'],
    ['local', { sftp: 'false' }, 'The settings sftp and sftpServerId are only for stages in AWS'],
    ['local', { gradualShift: 'true' }, 'The setting gradualShift is only for stages in AWS'],
    ['dev', { warmReadUnits: '4000' }, 'Setting warmReadUnits must be at least 12000.'],
    ['dev', { drainExecutions: '1' }, 'Setting drainExecutions must be at least 2.'],
    ['dev', { exportParts: '41' }, 'Setting exportParts must be at most 40.'],
    ['dev', { alarmEmail: 'ops' }, 'Setting alarmEmail must be an e-mail address.'],
  ])('the setting %s %j is refused in one sentence', (name, context, message) => {
    const refused = (): unknown => resolveStage(name, context);
    expect(refused).toThrow(ConfigurationError);
    expect(refused).toThrow(message);
  });
});
