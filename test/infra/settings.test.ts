import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { ConfigurationError, parseSettings, readSettings, settingNames } from '../../lib/config/settings.ts';
import { resolveStage } from '../../lib/config/stages.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = newFolders()();

const Json = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
const example = v.parse(Json, readFileSync(join(root, 'tidemark.example.json'), 'utf8'));

describe('the file of settings', () => {
  it('holds the settings of one stage, and no file means no settings', () => {
    writeFileSync(join(folder, 'tidemark.dev.json'), JSON.stringify(example));
    expect(readSettings(folder, 'dev')).toEqual(example);
    expect(readSettings(folder, 'prod')).toEqual({});
  });

  it.each(['', '[]', '"sftp"', '{"sftp": true,}'])('with the text %j is refused by its name', (text) => {
    writeFileSync(join(folder, 'tidemark.prod.json'), text);
    const read = () => readSettings(folder, 'prod');
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow('tidemark.prod.json must be a JSON object of settings.');
  });

  it.each(['dev', 'prod'])('the example is valid in the stage %s', (stage) => {
    expect(resolveStage(stage, example)).toMatchObject(example);
  });

  it('the documents explain every setting', () => {
    const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
    expect(settingNames.filter((name) => !page.includes(`\n| \`${name}\``))).toEqual([]);
  });

  it('settings as text mean the same as settings as JSON', () => {
    const list = [1, 2].map((last) => `arn:aws:kms:eu-central-1:123456789012:key/${last}`);
    const asText = {
      ...{ sftp: 'false', momentIntervalSeconds: '60', earlierPropertyKeyArns: list.join(',') },
    };
    const asJson = { sftp: false, momentIntervalSeconds: 60, earlierPropertyKeyArns: list };
    expect(parseSettings(asText)).toEqual(asJson);
    expect(parseSettings(asJson)).toEqual(asJson);
  });

  it.each([
    [{ sftp: 1 }, 'Setting sftp must be true or false.'],
    [{ momentIntervalSeconds: 1.5 }, 'Setting momentIntervalSeconds must be a number of seconds.'],
    [{ momentIntervalSeconds: null }, 'Setting momentIntervalSeconds must be a number of seconds.'],
    [{ alarmEmail: 7 }, 'Setting alarmEmail must be an e-mail address.'],
    [{ tableName: 'a b' }, 'Setting tableName must be the name of a table.'],
    [{ propertyKeyArn: 'alias/mine' }, 'Setting propertyKeyArn must be the ARN of a key'],
    [{ earlierPropertyKeyArns: {} }, 'Setting earlierPropertyKeyArns must be a list of ARNs of keys.'],
    [{ earlierPropertyKeyArns: ['x'] }, 'Setting earlierPropertyKeyArns.0 must be the ARN of a key'],
    [{ sftpServerId: 'server' }, 'Setting sftpServerId must be the id of a server, s-….'],
  ])('the setting %j is refused in one sentence', (given, message) => {
    expect(() => parseSettings(given)).toThrow(message);
  });
});
