import type { Codes } from './code-facts.ts';

/** Faults of export definitions. */
export const exportFaults = {
  nothing_to_export: {
    meaning: 'The export names no segment, no collection and no type of segments.',
    remedy: 'Send at least one of `segment`, `collection` and `tile_types`.',
  },
  too_many_segments: {
    meaning: 'The property has more segments of these types than an export may have.',
    remedy: 'Name fewer types, or name segments by their ids.',
  },
  too_large: {
    meaning: 'The definition is larger than a definition may be.',
    remedy: 'Use fewer columns or segments.',
  },
  unknown_attribute: {
    meaning: 'The column names something that is not an attribute of a profile.',
    remedy: 'Use a name of the list of fields in the documentation of profiles.',
  },
  identity_required: {
    meaning: 'A delta has no column that identifies the people in its rows.',
    remedy: 'Add one of the columns that `detail` names.',
  },
  not_a_delta: {
    meaning: 'The export has `changes`, and is no delta in JSON Lines.',
    remedy: 'Send `scope` `delta` and `data_format` `jsonl`, or leave `changes` out.',
  },
  not_with_changes: {
    meaning:
      'The field does not go together with `changes`: the calls replace the file, and tell every member.',
    remedy: 'Leave the field out, or do without `changes`.',
  },
  bad_file_name: {
    meaning: 'The file name has characters that file names cannot have.',
    remedy: 'Use letters, digits, spaces, . _ + @ , = - and variables such as `{date}`.',
  },
  bad_directory: {
    meaning: 'The directory is not a path that servers accept.',
    remedy: 'Send a path such as `in/{date}`, without empty levels, `.` and `..`.',
  },
  unknown_variable: {
    meaning: 'The template has a variable that does not exist.',
    remedy: 'Use the variables that `detail` names.',
  },
  name_required: {
    meaning: 'The template uses `{name}`, but the export has no name.',
    remedy: 'Give the export a name, or remove the variable.',
  },
  reserved: {
    meaning: 'The file name has an ending that the service keeps for manifests.',
    remedy: 'Choose another ending.',
  },
  not_a_host: {
    meaning: 'The text is not the host of an SFTP server.',
    remedy: 'Send host or host:port.',
  },
  not_a_user: {
    meaning: 'The text is not a user name that servers accept.',
    remedy: 'Use letters, digits and _.@+- only.',
  },
  not_a_private_key: {
    meaning: 'The text is not a private key as OpenSSH writes it.',
    remedy: 'Convert the key with ssh-keygen -p -f FILE, and send all its lines.',
  },
  key_has_passphrase: {
    meaning: 'The private key is protected by a passphrase.',
    remedy: 'Remove the passphrase from a copy with ssh-keygen -p -f FILE.',
  },
  not_a_fingerprint: {
    meaning: 'The text is not the fingerprint of a host key.',
    remedy: 'Send SHA256: and the 43 characters that ssh-keygen -l prints.',
  },
  not_a_bucket: {
    meaning: 'The text is not the name of a bucket.',
    remedy: 'Send the name without s3:// and without a path.',
  },
  not_a_region: {
    meaning: 'The text is not a region of AWS.',
    remedy: 'Send a region such as eu-central-1.',
  },
  not_a_role: {
    meaning: 'The text is not the ARN of a role that the service may assume.',
    remedy: 'Name the role as `detail` says, and send its ARN.',
  },
  not_a_pgp_key: {
    meaning: 'The text is not an ASCII-armoured OpenPGP public key.',
    remedy: 'Export the key with gpg --armor --export.',
  },
  private_key: {
    meaning: 'The text is a private PGP key, which nobody else should see.',
    remedy: 'Send the public key, and consider the private key as known to others.',
  },
  several_keys: { meaning: 'The text has several PGP keys.', remedy: 'Send exactly one key.' },
  key_too_large: {
    meaning: 'The PGP key is larger than the service accepts.',
    remedy: 'Export the key with --export-options export-minimal.',
  },
  key_unsupported: {
    meaning: 'The key has an algorithm, a curve or a version that the service does not support.',
    remedy: 'Use a key of a kind that `detail` names.',
  },
  key_revoked: { meaning: 'The PGP key was revoked.', remedy: 'Send a valid key.' },
  key_expired: {
    meaning: 'The PGP key has expired.',
    remedy: 'Extend the life of the key and send it again.',
  },
  key_too_weak: {
    meaning: 'The key is too short to be safe.',
    remedy: 'Use an RSA key of 2,048 bits or more.',
  },
  key_cannot_encrypt: {
    meaning: 'The PGP key can sign but not encrypt.',
    remedy: 'Send a key with a part for encryption.',
  },
  key_not_valid: {
    meaning: 'The PGP key is not signed by itself, or is not valid yet.',
    remedy: 'Export the key again from the program that made it.',
  },
} as const satisfies Codes;
