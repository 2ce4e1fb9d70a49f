/** Import stack: SFTP, the events of files, the workflows of files and undos, and the queue of batches with its workers. */
import { Stack, type App } from 'aws-cdk-lib/core';
import { sftpEvents, uploadEvents } from '../constructs/file-events.ts';
import { keepEarlierLogs } from '../constructs/earlier-logs.ts';
import { addFunctionSchedules } from '../constructs/function-schedule.ts';
import { functionSet } from '../constructs/function-set.ts';
import { addAllRoutes } from '../constructs/http-api.ts';
import { mailSender } from '../constructs/mail-sender.ts';
import { physicalName, type Reachable, type Reachables, type Service } from '../constructs/service.ts';
import { stackProps } from '../constructs/stack-props.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { SftpServer } from '../constructs/sftp-server.ts';
import { sftpRole } from '../constructs/sftp-role.ts';
import { Workflow } from '../constructs/workflow.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import type { ApiStack } from './api-stack.ts';
import type { DataStack } from './data-stack.ts';
import { importFile } from './import-workflow.ts';
import { undoJob } from './undo-workflow.ts';

/** SFTP, the events of files, the file workflow, and the queue of batches with its workers. */
export class ImportStack extends Stack {
  readonly workflow: Reachable;
  readonly undos: Reachable;
  /** What the looks at import jobs reach. */
  readonly reachables: Reachables;
  /** Names of the rules that hear of files. */
  readonly rules: readonly string[];

  constructor(app: App, service: Service, data: DataStack, api: ApiStack) {
    super(app, physicalName(service.stage, 'import'), stackProps(service.stage, 'imports'));
    const { key } = data;
    const importBatches = new WorkQueue(this, 'ImportBatches', { service, name: 'importBatches', key });
    const fileEvents = new WorkQueue(this, 'FileEvents', { service, name: 'fileEvents', key });
    const queues: Reachables = {
      ...data.reachables,
      importBatches: importBatches.reachable,
      fileEvents: fileEvents.reachable,
    };
    const common = { service, stack: 'import', baseUrl: api.baseUrl } as const;
    const steps = functionSet(this, {
      ...common,
      reachables: { ...queues, sender: mailSender(service.stage) },
      where: ({ trigger }) => trigger.kind === 'workflow',
    });
    const workflow = new Workflow(this, 'ImportFile', {
      service,
      name: 'importFile',
      functions: steps,
      definition: importFile,
    });
    this.workflow = workflow.reachable;
    this.undos = new Workflow(this, 'UndoJob', {
      service,
      name: 'undoJob',
      functions: steps,
      definition: undoJob,
    }).reachable;
    this.reachables = {
      importBatches: importBatches.reachable,
      importFile: this.workflow,
      undoJob: this.undos,
    };
    const role = sftpRole(this, service, data.uploads, key);
    const others = functionSet(this, {
      ...common,
      sftpRoleArn: role.roleArn,
      reachables: { ...queues, ...this.reachables },
      where: ({ trigger }) => trigger.kind !== 'workflow',
    });
    importBatches.feed(others);
    fileEvents.feed(others);
    const rules = [uploadEvents(this, service, data.uploads.value, fileEvents)];
    keepEarlierLogs(this, service, 'import');
    addFunctionSchedules(this, others, { service, schedules: data.schedules });
    if (service.stage.sftp) {
      const server = new SftpServer(this, 'Sftp', service, {
        identity: identityOf(others),
        told: [...others.values()].filter(({ entry }) => entry.trigger.kind === 'log'),
      });
      rules.push(sftpEvents(this, service, server.serverId, fileEvents));
    }
    this.rules = rules;
    addAllRoutes(this, { apiId: api.apiId, service }, others);
  }
}

/** The identity function of the SFTP server. */
const identityOf = (functions: ReadonlyMap<string, ServiceFunction>): ServiceFunction => {
  const found = [...functions.values()].filter(({ entry }) => entry.trigger.kind === 'identity');
  const [identity] = found;
  if (identity === undefined || found.length > 1)
    throw new Error(`SFTP needs one function that knows its users, not ${found.length}`);
  return identity;
};
