/** Permissions to create and delete schedules, and to pass them the role under which they send. */
export const scheduleActions = [
  { to: 'exportSchedules', actions: ['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'] },
  { to: 'exportSchedulesRole', actions: ['iam:PassRole'] },
] as const;
