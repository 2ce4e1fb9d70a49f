/** Reads the options of `tidemark export create`. */
import { type OptionAt, optionWith } from '../faults.ts';
import { failed, ok, type Result } from '../result.ts';
import { momentIn } from '../terminal/text.ts';

/** A server and the directory on it: `user@host[:port][:/directory]`. */
export interface SftpTarget {
  readonly user: string;
  /** The host, with its port if it has one. */
  readonly domain: string;
  readonly directory?: string;
}

/** What follows the `@` before a host: the host, its port and the directory. */
const place = /^([^@:/\s[]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5})(?=[:/]|$))?(?::?(\/.*)|:(.*))?$/;

/**
 * Reads the option `--sftp`. The user is all before the first `@` that a host follows, because users of many servers are
 * addresses or have a domain: `ann@example.org@sftp.example.org:/in`, `PARTNER\ann@sftp.example.org`.
 */
export const readSftp = (text: string): Result<SftpTarget, string> => {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined) return failed(`Write user@host:port:/directory, without ${scheme}://.`);
  for (let at = text.indexOf('@', 1); at > 0; at = text.indexOf('@', at + 1)) {
    const [, host, port, absolute, relative] = place.exec(text.slice(at + 1)) ?? [];
    if (host === undefined) continue;
    const directory = absolute ?? relative ?? '';
    return ok({
      user: text.slice(0, at),
      domain: port === undefined ? host : `${host}:${port}`,
      ...(directory === '' ? {} : { directory }),
    });
  }
  return failed(`Write --sftp as user@host, user@host:port or user@host:/directory, not "${text}".`);
};

/** A schedule of the API: fields of a cron line and a time zone. */
export interface Schedule {
  readonly minute?: string;
  readonly hour?: string;
  readonly day_of_month?: string;
  readonly month?: string;
  readonly day_of_week?: string;
  readonly timezone?: string;
  readonly once?: boolean;
}

const days = '(?:mon|tue|wed|thu|fri|sat|sun)';
const dayList = new RegExp(`^${days}(?:[-,]${days})*$`);
const scheduleHelp =
  'for example "day 03:00", "mon 03:00 Europe/Berlin", "mon-fri 06:30", "month 04:00", "hour" or "15m"';

/** The minutes of `5m`, which divide an hour: others would have a shorter step at its end. */
const minutesIn = (word: string): number | undefined => {
  const minutes = Number(/^([1-9]\d?)m$/.exec(word)?.[1]);
  return minutes < HOUR && HOUR % minutes === 0 ? minutes : undefined;
};

const HOUR = 60;

/** Reads the option `--every`: how often, the time of day and the time zone (default: UTC). */
export const readSchedule = (text: string): Result<Schedule, string> => {
  const [often = '', ...rest] = text.trim().split(/\s+/);
  const word = often.toLowerCase();
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(rest[0] ?? '');
  const zone = clock === null ? rest[0] : rest[1];
  if (rest.length > (clock === null ? 1 : 2)) return failed(`Write --every ${scheduleHelp}, not "${text}".`);
  const timezone = zone === undefined ? {} : { timezone: zone };
  if (word === 'hour' && clock === null) return ok({ minute: '0', ...timezone });
  const minutes = minutesIn(word);
  if (minutes !== undefined && clock === null) return ok({ minute: `*/${minutes}`, ...timezone });
  const time =
    clock === null ? undefined : { minute: String(Number(clock[2])), hour: String(Number(clock[1])) };
  if (time === undefined) return failed(`Write --every ${scheduleHelp}, not "${text}".`);
  if (word === 'day') return ok({ ...time, ...timezone });
  if (word === 'month') return ok({ ...time, day_of_month: '1', ...timezone });
  if (dayList.test(word)) return ok({ ...time, day_of_week: word, ...timezone });
  return failed(`Write --every ${scheduleHelp}, not "${text}".`);
};

/** The fields of a schedule. Those finer than the finest given field have their first number, and others `*`. */
const fieldsOf = ({ minute, hour, day_of_month, month, day_of_week }: Schedule) => {
  const hasDay = day_of_month !== undefined || day_of_week !== undefined;
  const isDaily = minute === undefined && hour === undefined;
  return {
    minute: minute ?? '0',
    hour: hour ?? (isDaily ? '0' : '*'),
    day_of_month: day_of_month ?? (isDaily && !hasDay ? '1' : '*'),
    month: month ?? '*',
    day_of_week: day_of_week ?? '*',
  };
};

/** A schedule as a text: in the words of `--every`, or else as the fields of a cron line. */
export const scheduleText = (schedule: Schedule): string => {
  const { minute, hour, day_of_month, month, day_of_week } = fieldsOf(schedule);
  const { timezone, once } = schedule;
  const zone = `${timezone === undefined ? ' UTC' : ` ${timezone}`}${once === true ? ', once' : ''}`;
  const isHourly = once !== true && [hour, day_of_month, month, day_of_week].every((field) => field === '*');
  if (isHourly && minute === '0') return `hour${zone}`;
  const [, step] = /^\*\/(\d+)$/.exec(minute) ?? [];
  if (isHourly && step !== undefined && minutesIn(`${step}m`) !== undefined) return `${step}m${zone}`;
  const isTime = /^\d+$/.test(minute) && /^\d+$/.test(hour) && month === '*';
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (isTime && day_of_month === '*' && day_of_week === '*') return `day ${time}${zone}`;
  if (isTime && day_of_month === '*') return `${day_of_week} ${time}${zone}`;
  if (isTime && day_of_month === '1' && day_of_week === '*') return `month ${time}${zone}`;
  return `cron ${[minute, hour, day_of_month, month, day_of_week].join(' ')}${zone}`;
};

/** The next run of a definition, by the clock of its schedule. */
export const nextRunText = (schedule: Schedule | null, next: string | null): string =>
  momentIn(next, schedule?.timezone);

/** A column of a file: the name of the field, and the name in the header. */
export interface ExportColumn {
  readonly umbel_field_name: string;
  readonly destination_field_name: string;
}

/** Reads the option `--columns`: `email,first_name=Vorname`. */
export const readColumns = (text: string): Result<readonly ExportColumn[], string> => {
  const columns = text.split(',').map((part) => {
    const [field = '', ...name] = part.split('=');
    return { umbel_field_name: field.trim(), destination_field_name: (name.join('=') || field).trim() };
  });
  return columns.every(({ umbel_field_name }) => umbel_field_name !== '')
    ? ok(columns)
    : failed('Write --columns as fields with commas between them: email,first_name=Vorname.');
};

/** The kinds of changes that the calls of an export may tell. */
export const changeKinds = ['added', 'removed', 'changed'] as const;

/** Reads the option `--kinds`: `added,removed`. */
export const readKinds = (text: string): Result<readonly (typeof changeKinds)[number][], string> => {
  const words = text.split(',').map((word) => word.trim());
  return words.every((word) => changeKinds.some((kind) => kind === word))
    ? ok(changeKinds.filter((kind) => words.includes(kind)))
    : failed(`Write --kinds as some of ${changeKinds.join(',')}, not "${text}".`);
};

/** The options of `tidemark export create` whose values the service judges. */
export interface JudgedOptions {
  readonly name?: string;
  readonly columns?: string;
  readonly consent?: string;
  readonly fileName?: string;
  readonly pgp?: string;
  readonly sftp?: string;
  readonly key?: string;
  readonly password?: string;
  readonly temporaryName?: string;
  readonly verify?: string;
  readonly email?: string;
  readonly webhook?: string;
  readonly every?: string;
  readonly changes?: string;
  readonly kinds?: string;
}

/** The members of an export with their options. A longer pointer stands before its beginning. */
const members: readonly (readonly [pointer: string, option: string, name: keyof JudgedOptions])[] = [
  ['/name', '--name', 'name'],
  ['/consent', '--consent', 'consent'],
  ['/file_name', '--file-name', 'fileName'],
  ['/pgp_public_key', '--pgp', 'pgp'],
  ['/destination_credentials/private_key', '--key', 'key'],
  ['/destination_credentials/password', '--password', 'password'],
  ['/destination_credentials/temporary_name', '--temporary-name', 'temporaryName'],
  ['/destination_credentials/verify', '--verify', 'verify'],
  ['/destination_credentials', '--sftp', 'sftp'],
  ['/directory', '--sftp', 'sftp'],
  ['/notification_email', '--email', 'email'],
  ['/webhook_url', '--webhook', 'webhook'],
  ['/schedule', '--every', 'every'],
  ['/changes/kinds', '--kinds', 'kinds'],
  ['/changes', '--changes', 'changes'],
];

/** The option behind a place in the body of an export. A place in the list of columns has its part of `--columns`. */
export const exportOptionAt =
  (options: JudgedOptions): OptionAt =>
  (pointer) => {
    const [, column] = /^\/custom_result_format(?:\/(\d+))?(?:\/|$)/.exec(pointer) ?? [];
    if (pointer.startsWith('/custom_result_format') && options.columns !== undefined) {
      const part = column === undefined ? undefined : options.columns.split(',')[Number(column)];
      return optionWith('--columns', (part ?? options.columns).trim());
    }
    const [, option = '', name] =
      members.find(([start]) => pointer === start || pointer.startsWith(`${start}/`)) ?? [];
    const value = name === undefined ? undefined : options[name];
    return value === undefined ? undefined : optionWith(option, value);
  };
