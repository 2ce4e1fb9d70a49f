/** The part of `@aws-sdk/client-scheduler` that functions use; it lies beside their bundles. See `lib/constructs/bundle.ts`. */
export { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
