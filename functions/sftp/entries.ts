import { tableActions as table } from '../../shared/table/access.ts';
import { entry } from '../entry.ts';

export const authorizeSftp = /* @__PURE__ */ entry(() => ({
  stack: 'import',
  source: 'sftp/authorize-sftp',
  summary: 'Authenticate SFTP users, and name their directories',
  // scrypt with N=2^17 takes 128 MB and CPU in proportion to memory.
  memoryMb: 1769,
  timeoutSeconds: 20,
  trigger: { kind: 'identity' },
  access: [
    { to: 'credentials', actions: [...table.read, ...table.query, ...table.increment] },
    { to: 'auditLog', actions: [...table.insert] },
  ],
  settings: ['uploadsBucket', 'sftpRole'],
  alarm: { severity: 'page', impact: 'Nobody can log in over SFTP' },
}));
