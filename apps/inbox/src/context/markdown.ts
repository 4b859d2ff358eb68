// A file of its own, so that it is loaded on demand.
export { Markdown } from 'beckon/react/parts';
