/** Timeline entries: the routes of timelines and moments, and the function that makes due moments. */
import { deletedAnswer, listQuery } from '../../shared/http/list-schemas.ts';
import { changesAnswer, changesQuery } from '../../shared/timelines/changes-schemas.ts';
import { scheduleRule } from '../../shared/timelines/schedule-rule.ts';
import {
  chartLinkAnswer,
  chartLinkBody,
  chartQuery,
  countedMomentAnswer,
  countedTimelineAnswer,
  momentAnswer,
  renameBody,
  timelineAnswer,
  timelineBody,
  timelineFactsAnswer,
  timelinesAnswer,
  timelinesQuery,
} from '../../shared/timelines/schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

/** Makers of moments copy memberships, and remove the leftovers of lost leases. */
const making = { table: ['read', 'query', 'insert', 'update', 'delete', 'increment'] } as const;

export const createTimeline = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1769,
  source: 'timelines/create-timeline',
  summary: 'Create a timeline, which tracks a segment over time, with its first moment',
  trigger: route('POST', '/v2/properties/{property_id}/timelines', {
    permission: 'definitions.write',
    body: timelineBody,
    bodyRules: [scheduleRule],
    shownOnly: ['next_run', 'paging'],
    answer: timelineAnswer,
    statuses: [201],
    codes: ['duplicate_name', 'segment_preparing'],
  }),
  access: making,
  settings: ['baseUrl', 'momentInterval'],
}));

export const listTimelines = /* @__PURE__ */ entry(() => ({
  ...linkFunction('api'),
  source: 'timelines/list-timelines',
  summary: 'List the timelines, each with its newest moments',
  trigger: route('GET', '/v2/properties/{property_id}/timelines', {
    permission: 'definitions.read',
    query: timelinesQuery,
    answer: timelinesAnswer,
    headers: ['Link'],
  }),
}));

export const getTimeline = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1024,
  source: 'timelines/get-timeline',
  summary: 'Show a timeline and its moments: how many profiles each has, and how many joined and left',
  trigger: route('GET', '/v2/properties/{property_id}/timelines/{timeline_id}', {
    permission: 'definitions.read',
    query: listQuery,
    answer: countedTimelineAnswer,
  }),
  access: {
    table: ['read', 'query', 'update'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl'],
}));

export const renameTimeline = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'timelines/rename-timeline',
  summary: 'Rename a timeline',
  trigger: route('PUT', '/v2/properties/{property_id}/timelines/{timeline_id}', {
    permission: 'definitions.write',
    body: renameBody,
    shownOnly: ['reference_tile', 'schedule', 'next_run', 'paging'],
    answer: timelineFactsAnswer,
    codes: ['duplicate_name'],
  }),
  access: { table: ['read', 'insert', 'update', 'delete'] },
}));

export const deleteTimeline = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'timelines/delete-timeline',
  summary: 'Delete a timeline; its moments stay as segments',
  trigger: route('DELETE', '/v2/properties/{property_id}/timelines/{timeline_id}', {
    permission: 'definitions.write',
    answer: deletedAnswer,
  }),
  access: { table: ['read', 'query', 'insert', 'update', 'delete'] },
}));

export const createMoment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1769,
  source: 'timelines/create-moment',
  summary: 'Add a moment to a timeline: a frozen copy of the segment, at most one an hour',
  trigger: route('POST', '/v2/properties/{property_id}/timelines/{timeline_id}/moments', {
    permission: 'definitions.write',
    answer: momentAnswer,
    statuses: [201],
    codes: ['moment_too_early'],
  }),
  access: making,
  settings: ['baseUrl', 'momentInterval'],
}));

export const getMoment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1024,
  source: 'timelines/get-moment',
  summary: 'Show a moment: how many profiles it has, and how many joined and left',
  trigger: route('GET', '/v2/properties/{property_id}/timelines/{timeline_id}/moments/{moment_id}', {
    permission: 'definitions.read',
    answer: countedMomentAnswer,
  }),
  access: { table: ['read', 'query', 'update'] },
  settings: ['baseUrl'],
}));

export const listTimelineChanges = /* @__PURE__ */ entry(() => ({
  ...linkFunction('api'),
  memoryMb: 1024,
  source: 'timelines/list-timeline-changes',
  summary: 'List the profiles that joined and left between two moments of a timeline',
  trigger: route('GET', '/v2/properties/{property_id}/timelines/{timeline_id}/changes', {
    permission: 'people.read',
    shows: 'people',
    query: changesQuery,
    answer: changesAnswer,
  }),
}));

export const drawTimelineChart = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1024,
  source: 'timelines/draw-timeline-chart',
  summary:
    'Draw the chart of a timeline as SVG: how many profiles each moment has, and how many joined and left',
  trigger: route('GET', '/v2/properties/{property_id}/timelines/{timeline_id}/chart.svg', {
    permission: 'definitions.read',
    query: chartQuery,
    mediaTypes: ['image/svg+xml'],
  }),
  access: { table: ['read', 'query', 'update'] },
}));

export const createChartLink = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'timelines/create-chart-link',
  summary: 'Create a link that shows the chart of a timeline to everyone, without a token',
  trigger: route('POST', '/v2/properties/{property_id}/timelines/{timeline_id}/chart-links', {
    permission: 'exports.write',
    body: chartLinkBody,
    answer: chartLinkAnswer,
    statuses: [201],
  }),
  access: { propertyKey: ['decrypt'] },
  settings: ['baseUrl'],
}));

export const withdrawChartLinks = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'timelines/withdraw-chart-links',
  summary: 'Withdraw all links to the chart of a timeline: they stop working',
  trigger: route('DELETE', '/v2/properties/{property_id}/timelines/{timeline_id}/chart-links', {
    permission: 'exports.write',
    answer: deletedAnswer,
  }),
  access: { table: ['read', 'update'] },
}));

export const showLinkedChart = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1024,
  source: 'timelines/show-linked-chart',
  summary: 'Show the chart of a timeline as SVG, by a link that needs no token',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/charts/{capability}/chart.svg',
    auth: 'none',
    query: chartQuery,
    mediaTypes: ['image/svg+xml'],
    statuses: [200],
    codes: ['bad_request', 'link_closed', 'not_found', 'rate_limited'],
  },
  access: {
    table: ['read', 'query', 'update'],
    rates: ['increment'],
  },
}));
