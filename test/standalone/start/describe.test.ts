import { describe, expect, it } from 'vitest';
import { newAccount, type Strictness } from '../../../local/core/strictness.ts';
import { describeCloud } from '../../../cli/standalone/start/describe.ts';

const endpoints = {
  pid: 1,
  base_url: 'http://127.0.0.1:8080',
  auth_url: 'http://127.0.0.1:8080',
  docs_url: 'http://127.0.0.1:8080/docs',
  aws_endpoint: 'http://127.0.0.1:8081',
  aws_credentials: { access_key_id: 'id', secret_access_key: 'secret', region: 'us-east-1' },
  inbox_url: 'http://127.0.0.1:8082',
  sftp: null,
};
const textOf = (strictness: Strictness): string =>
  describeCloud(endpoints, { seconds: 1, file: 'endpoints.json', faults: undefined, strictness });

describe('the table that a start prints', () => {
  it('names the limits of AWS that hold', () => {
    expect(textOf(newAccount)).toContain(
      'Limits as in AWS: 4,000 write and 12,000 read units a second, table calls of 4 to 10 ms, visibility timeouts, 10 concurrent executions.\n',
    );
    expect(textOf({ realConcurrency: 3 })).toContain('Limits as in AWS: 3 concurrent executions.\n');
  });

  it('says nothing of limits when none holds', () => {
    expect(textOf({})).not.toContain('Limits');
  });
});
