import { DataFolderError } from '../../../local/cloud/data-folder.ts';
import { DeploymentError } from '../../../local/assembly/template.ts';
import { ServiceRunningError } from '../endpoints.ts';
import { UsageError } from './options.ts';

/** The error message of a failed start: one sentence for a mistake of the user, the whole error otherwise. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const ours = [UsageError, DeploymentError, DataFolderError, ServiceRunningError];
  if (ours.some((kind) => error instanceof kind)) return error.message;
  if (error.name === 'ConfigurationError') return error.message;
  if ('code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? ` ${String(error.port)}` : '';
    return `The port${port} is taken; choose another with --port, or let --port 0 pick one.`;
  }
  if ('syscall' in error && 'path' in error && ['mkdir', 'open'].includes(String(error.syscall)))
    return `${String(error.path)} cannot be written (${'code' in error ? String(error.code) : error.message}).`;
  if ('code' in error && error.code === 'EACCES') return `${error.message}; choose another port with --port.`;
  return error.stack ?? error.message;
};
