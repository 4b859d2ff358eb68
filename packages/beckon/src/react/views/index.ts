import type { ComponentName } from '../../components/registry.ts';
import type { Surroundings } from '../context.ts';
import { AccordionView } from './accordion.tsx';
import { CardView } from './card.tsx';
import { ChartView } from './chart.tsx';
import { CitationView } from './citation.tsx';
import { EmbedView } from './embed.tsx';
import { FormView } from './form.tsx';
import { ImageView } from './image.tsx';
import { MarkdownView } from './markdown.tsx';
import { SuggestionsView } from './suggestions.tsx';
import { TableView } from './table.tsx';
import { TabsView } from './tabs.tsx';
import { TimelineView } from './timeline.tsx';

/** The views of the shipped components, by name. */
export const VIEWS: Readonly<Record<ComponentName, Surroundings['views'][string]>> = {
  card: CardView,
  table: TableView,
  timeline: TimelineView,
  accordion: AccordionView,
  tabs: TabsView,
  markdown: MarkdownView,
  image: ImageView,
  embed: EmbedView,
  citation: CitationView,
  suggestions: SuggestionsView,
  form: FormView,
  chart: ChartView,
};
