import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { scryptKdf } from '../../shared/auth/passwords.ts';
import { reportCost } from '../support/cost.ts';
import { interleaved, load, quantile, rateOf } from '../support/measure.ts';
import { scenario } from '../support/scenario.ts';
import { openService } from '../support/service.ts';

const ROUNDS = 3;

const account = v.looseObject({ client_id: v.string(), username: v.string(), password: v.string() });

export default scenario({
  name: 'tokens',
  title: 'Issue tokens',
  about:
    'A user signs in with a password, one request at a time. The floor is the bare `scrypt` of one password with the same cost.',
  sizes: { ci: { tokens: 9 }, full: { tokens: 90 } },
  run: async ({ tokens }, report) => {
    await using service = await openService();
    // The demo account has a cheaper hash.
    const command = {
      command: 'account.create',
      name: 'Tokens',
      with_user: 'tokens',
      email: 'tokens@example.org',
    };
    const { client_id, username, password } = v.parse(account, await service.operate(command));
    const body = { grant_type: 'password', client_id, username, password };
    const issue = async (): Promise<void> => {
      const { status } = await service.call('POST', '/oauth/token', body);
      report.check('status of a token request', status, 200);
    };
    const salt = randomBytes(16);
    const hash = () => scryptKdf(password, salt, limits.auth.scrypt);
    const each = Math.ceil(tokens / ROUNDS);
    report.progress('signs in');
    const { one, other, ratio } = await interleaved(
      ROUNDS,
      () => load(each, 1, issue),
      () => load(each, 1, hash),
    );
    const { cost } = await service.cost(() => load(each, 1, issue));
    report.ratio('a token, one at a time', ratio);
    reportCost(report, cost, { units: each, of: 'token' });
    report.time('rate', rateOf(one), 'tokens/s');
    report.time('median', quantile(one, 0.5), 'ms');
    report.time('99th percentile', quantile(one, 0.99), 'ms');
    report.time('bare `scrypt`, median', quantile(other, 0.5), 'ms');
    report.chart({
      kind: 'bars',
      unit: 'milliseconds of this machine',
      bars: [
        { name: 'bare scrypt', value: quantile(other, 0.5) },
        { name: 'a token', value: quantile(one, 0.5) },
      ],
    });
  },
});
