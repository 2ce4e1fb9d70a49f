import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { AwsServiceError } from '../../shared/runtime/aws-errors.ts';
import { processEnv } from '../../shared/runtime/env.ts';
import { errorFacts, logTo } from '../../shared/runtime/log.ts';
import { seal, unseal } from '../../shared/runtime/seal.ts';

const refused = (name: string, message: string) =>
  new AwsServiceError(name, message, { httpStatusCode: 400, attempts: 1 });

const caught = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('a log line', () => {
  it('is one line of JSON with level and code, whatever it holds', () => {
    const lines: string[] = [];
    logTo((line) => void lines.push(line))('request.failed', { route: 'a\nb\u2028\u202e', status: 500 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', code: 'request.failed', status: 500 });
  });
});

describe('what is said of an error', () => {
  it('never quotes what was parsed', () => {
    const quoting = [
      caught(() => JSON.parse('canary')),
      caught(() => v.parse(v.number(), 'canary')),
      caught(() => v.parse(v.strictObject({}), { canary: 1 })),
      refused('ValidationException', 'value canary is bad'),
    ];
    for (const error of quoting) {
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(errorFacts(error))).not.toContain('canary');
      expect(errorFacts(error).at.length).toBeGreaterThan(0);
    }
  });

  it('tells our own words and the action that IAM refused', () => {
    expect(errorFacts(new Error('table: x')).message).toBe('table: x');
    const denied = refused('AccessDeniedException', 'not authorized to perform: dynamodb:Query');
    expect(errorFacts(denied).message).toContain('dynamodb:Query');
    expect(errorFacts('text')).toEqual({ name: 'string', at: [] });
  });
});

it('a variable that is not set fails loudly', () => {
  expect(() => processEnv('RUN_EXPORT_WORKFLOW_ARN')).toThrow('RUN_EXPORT_WORKFLOW_ARN is not set');
});

describe('what is sealed', () => {
  const key = new Uint8Array(32).fill(1);
  const sealed = seal(key, new Uint8Array(12), 'here', 'text é');

  it('opens with the same key and context only', () => {
    expect(unseal(key, 'here', sealed)).toBe('text é');
    expect(unseal(key, 'there', sealed)).toBeUndefined();
    expect(unseal(new Uint8Array(32), 'here', sealed)).toBeUndefined();
    expect(unseal(key, 'here', sealed.subarray(0, 20))).toBeUndefined();
    expect(unseal(key, 'here', new Uint8Array())).toBeUndefined();
  });
});
