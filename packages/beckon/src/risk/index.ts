// Any name added here becomes public API. Everything behind it runs in browsers.
export { type Finding, type FindingPlace, RISK_LEVELS, type Risk, type RiskLevel } from '../protocol/risk.ts';
export { assessRisk } from './assess-risk.ts';
