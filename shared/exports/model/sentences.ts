/** Sentences of the API document about fields that a definition of an export has in requests and in answers. */

/** Sentences about the fields of a definition. */
export const definitionSentences = {
  name: 'A name for people. Lists, mails and webhooks show it; it need not be unique.',
  segment:
    'The segments whose members are in the file. A request names them by id, or by type and name; answers show ids, with the segments of `tile_types` among them.',
  collection:
    'The ids of collections. The members of their segments are in the file; each job looks the segments up.',
  tile_types:
    'Types of segments: the members of all segments of these types are in the file. The service looks the segments up when the definition is stored.',
  consent: 'Only people with this consent are in the file. Without it, the file has everyone.',
  consent_channel: 'The channel of the consent, for example `email`.',
  consent_state: 'The state that the latest statement on the channel must have.',
  field_set:
    'The columns of the file. `all`: every field of a profile. `email`: the e-mail address. `custom`: the columns of `custom_result_format`.',
  data_format:
    'The format of the file. `txt` is CSV with tabs; `jsonl` has one JSON object a line. The `excel_` formats are CSV with a byte order mark, which Excel opens at a double click: `excel_comma` where Excel writes decimals with a point, `excel_semicolon` where it writes them with a comma.',
  compression: 'The compression of the file. It comes before the encryption.',
  file_name:
    'The name of the file, with variables such as `{date}` and `{counter}`. Without it, the name is `{id}-{job}` with the ending of the format.',
  directory:
    'The directory on your SFTP server or in your bucket, with the variables of `file_name`. Without it, the directory of the login or the top of the bucket.',
  scope: '`full`: every file has everyone. `delta`: a file has the changes since the last complete job.',
  custom_result_format: 'The columns of the file, in their order, for `field_set` `custom`.',
  umbel_field_name:
    'The field of the profile: a field of the set `all`, `current_age`, `extra_data`, `extra_data.<key>` or `consent.<channel>`. `age` is the age as it was sent. `current_age` is the age by which segments decide: from the birthday on the UTC day of the job, or else as sent; take it beside a segment of an age.',
  destination_field_name: 'The name of the column in the file. No two columns have the same name.',
  start_date:
    'Only profiles that were last stored on this UTC day (`YYYY-MM-DD`) or later are in the file. Without it, there is no earliest day.',
  end_date:
    'Only profiles that were last stored on this UTC day (`YYYY-MM-DD`) or earlier are in the file. Without it, there is no latest day.',
  formula_guard:
    "Whether a `'` goes in front of cells that a spreadsheet would take for formulas. JSON Lines never have it.",
  skip_empty:
    'Whether a job without rows has no file: it is complete with `file_name` null, and nothing is delivered.',
  changes:
    'The receiver of the changes of a delta in JSON Lines, in signed calls (Standard Webhooks). No server and no bucket gets the rows then. They can be downloaded like a file, and a webhook or a mail may tell the end of a job.',
  changes_url: 'The https address that gets the calls.',
  changes_kinds:
    'Which changes are told: `added` for people who come in, `removed` for people who leave, `changed` for members with other values.',
  changes_first:
    'What a receiver is told at first, when the service knows of nobody whom it was told. `none`: nothing. `all`: every member, as `added`.',
  schedule:
    'When the export runs by itself: the fields of a cron line. Without it, jobs run only on request.',
  pgp_public_key: 'An OpenPGP public key in ASCII armour. With it, the file is encrypted to this key.',
  destination_credentials: 'The SFTP server to which every file is pushed.',
  domain: 'The host of the server, or `host:port`. Without a port, the service connects to port 22.',
  client_id:
    'The user name on the server, as the server knows it, for example `hall`, `ann@example.org` or `PARTNER\\ann`.',
  temporary_name:
    'The name of a file while it is written. `rename`: a temporary name, and the final name once the file is whole. `none`: the final name from the first byte on, for servers that refuse renames or take files as soon as they are closed.',
  verify:
    'The check of a written file. `size`: the service looks at the size of the file. `none`: the service never looks at files, for servers that refuse it; then each attempt sends the whole file.',
  s3_destination: 'The bucket in your AWS account into which every file is put.',
  bucket: 'The name of the bucket.',
  region: 'The AWS region of the bucket.',
  role_arn: 'The ARN of the role in your account that the service assumes to write to the bucket.',
} as const;
