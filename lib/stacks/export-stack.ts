/** Export stack: the export workflow, the schedules of clients, and the routes of exports and downloads. */
import { Stack, type App } from 'aws-cdk-lib/core';
import type { WorkflowTrigger } from '../../functions/entry.ts';
import { destinationRoles } from '../constructs/destination-roles.ts';
import { keepEarlierLogs } from '../constructs/earlier-logs.ts';
import { addFunctionSchedules } from '../constructs/function-schedule.ts';
import { functionSet } from '../constructs/function-set.ts';
import { addAllRoutes } from '../constructs/http-api.ts';
import { mailSender } from '../constructs/mail-sender.ts';
import { ScheduleGroup } from '../constructs/schedule-group.ts';
import { physicalName, type Reachable, type Reachables, type Service } from '../constructs/service.ts';
import { stackProps } from '../constructs/stack-props.ts';
import { Workflow } from '../constructs/workflow.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import type { ApiStack } from './api-stack.ts';
import type { DataStack } from './data-stack.ts';
import { deliverExport } from './delivery-workflow.ts';
import { runExport } from './export-workflow.ts';
import type { ImportStack } from './import-stack.ts';

/** The stacks whose resources this one uses. */
interface EarlierStacks {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly imports: ImportStack;
}

/** The export workflow, the schedules of clients, and the routes of exports and downloads. */
export class ExportStack extends Stack {
  readonly workflow: Reachable;
  readonly deliveries: Reachable;
  /** Name of the group of clients' schedules. */
  readonly schedules: string;

  constructor(app: App, service: Service, { data, api, imports }: EarlierStacks) {
    super(app, physicalName(service.stage, 'export'), stackProps(service.stage, 'exports'));
    const common = { service, stack: 'export', baseUrl: api.baseUrl } as const;
    const stepsOf = (name: WorkflowTrigger['workflow'], reachables: Reachables) =>
      functionSet(this, {
        ...common,
        reachables,
        where: ({ trigger }) => trigger.kind === 'workflow' && trigger.workflow === name,
      });
    const deliveries = new Workflow(this, 'DeliverExport', {
      service,
      name: 'deliverExport',
      functions: stepsOf('deliverExport', {
        ...data.reachables,
        sender: mailSender(service.stage),
        destinationRoles: destinationRoles(),
      }),
      definition: deliverExport,
    });
    this.deliveries = deliveries.reachable;
    const delivering = { ...data.reachables, deliverExport: this.deliveries };
    const workflow = new Workflow(this, 'RunExport', {
      service,
      name: 'runExport',
      functions: stepsOf('runExport', delivering),
      definition: (call) => runExport(call, service.stage.exportParts),
    });
    this.workflow = workflow.reachable;
    const { key } = data;
    const exportRuns = new WorkQueue(this, 'ExportRuns', { service, name: 'exportRuns', key });
    const schedules = new ScheduleGroup(this, 'Schedules', { service, name: 'exports', queue: exportRuns });
    this.schedules = schedules.reachable.value;
    const others = functionSet(this, {
      ...common,
      reachables: {
        ...delivering,
        ...imports.reachables,
        runExport: this.workflow,
        exportRuns: exportRuns.reachable,
        exportSchedules: schedules.reachable,
        exportSchedulesRole: schedules.role,
        destinationRoles: destinationRoles(),
      },
      exportRunsArn: exportRuns.reachable.arn,
      exportRunsDeadLetters: exportRuns.deadLetters.queueArn,
      where: ({ trigger }) => trigger.kind !== 'workflow',
    });
    exportRuns.feed(others);
    keepEarlierLogs(this, service, 'export');
    addFunctionSchedules(this, others, { service, schedules: data.schedules });
    addAllRoutes(this, { apiId: api.apiId, service }, others);
  }
}
