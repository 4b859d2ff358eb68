// Any name added here becomes public API. Everything behind it runs in browsers.
export type { AccordionProps } from './accordion.ts';
export type { CardProps } from './card.ts';
export { type Catalogue, type CatalogueEntry, readCatalogue } from './catalogue.ts';
export type { ChartProps } from './chart.ts';
export {
  type CheckedPart,
  type CheckedTree,
  checkPart,
  checkTree,
  describeProblems,
  type PartProblem,
} from './check-tree.ts';
export type { CitationProps } from './citation.ts';
export { type Component, defineComponent, describe, type Registry } from './component.ts';
export type { EmbedProps } from './embed.ts';
export type { FormFieldProps, FormProps } from './form.ts';
export type { ImageProps } from './image.ts';
export { type JsonSchema, toCatalogue, toJsonSchema, toPropsSchema } from './json-schema.ts';
export type { MarkdownProps } from './markdown.ts';
export { protocol } from './protocol.ts';
export { COMPONENTS, type ComponentName, type Components, toRegistry } from './registry.ts';
export type { SuggestionsProps } from './suggestions.ts';
export type { TableProps } from './table.ts';
export type { TabsProps } from './tabs.ts';
export type { TimelineProps } from './timeline.ts';
export { isPart, MOST_DEPTH, MOST_PARTS, type Part, Slot, type Tree } from './tree.ts';
export { isSafeLink, isSafeSource } from './url.ts';
