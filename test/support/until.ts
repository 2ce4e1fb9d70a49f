export { until } from '../../local/test/support/until.ts';
