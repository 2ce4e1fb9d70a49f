import { entry } from '../entry.ts';

export const authorizeSftp = /* @__PURE__ */ entry(() => ({
  stack: 'import',
  source: 'sftp/authorize-sftp',
  summary: 'Authenticate SFTP users, and name their directories',
  // scrypt with N=2^17 takes 128 MB and CPU in proportion to memory.
  memoryMb: 1769,
  timeoutSeconds: 20,
  trigger: { kind: 'identity' },
  access: {
    credentials: ['read', 'query', 'increment'],
    auditLog: ['insert'],
  },
  settings: ['uploadsBucket', 'sftpRole'],
  alarm: { severity: 'page', impact: 'Nobody can log in over SFTP' },
}));

export const recordSftpLogin = /* @__PURE__ */ entry(() => ({
  stack: 'import',
  source: 'sftp/record-sftp-login',
  summary: 'Record SFTP logins by key in the audit log, as the log of the SFTP server tells of them',
  memoryMb: 512,
  timeoutSeconds: 60,
  trigger: { kind: 'log', log: 'sftp', where: { field: 'activity-type', value: 'CONNECTED' } },
  access: {
    credentials: ['read'],
    auditLog: ['insert'],
  },
  alarm: { severity: 'page', impact: 'The audit log lacks logins over SFTP by key' },
}));
