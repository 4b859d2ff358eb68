/** One of each component as an agent writes it, for the tests and the pictures in docs/components.md. */
export const SAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  card: {
    type: 'card',
    key: 'revenue',
    title: 'Q3 revenue',
    content: '$2.4M',
    actions: ['Deep Dive', 'Export'],
    metadata: 'Updated 2 hours ago',
  },
  table: {
    type: 'table',
    key: 'regions',
    title: 'Revenue by region',
    selectable: true,
    attributes: [
      { key: 'revenue', label: 'Revenue ($M)' },
      { key: 'growth', label: 'Growth' },
      { key: 'lead', label: 'Lead' },
    ],
    items: [
      { id: 'na', name: 'North America', attributes: { revenue: 1.2, growth: '+18%', lead: 'Ada' } },
      { id: 'eu', name: 'Europe', attributes: { revenue: 0.8, growth: '+11%', lead: 'Grace' } },
      { id: 'apac', name: 'Asia-Pacific', attributes: { revenue: 0.4, growth: '+16%', lead: null } },
    ],
  },
  timeline: {
    type: 'timeline',
    title: 'Release 2.0',
    events: [
      { date: '12 Jan', title: 'Kick-off', description: 'The team agrees on what is in and what is not.' },
      { date: '3 Mar', title: 'Beta', description: 'Forty customers try it.' },
      { date: '28 Apr', title: 'Release' },
    ],
  },
  accordion: {
    type: 'accordion',
    key: 'faq',
    title: 'Questions',
    notify: true,
    items: [
      { label: 'How is revenue counted?', content: 'By **invoice date**, without taxes.', open: true },
      { label: 'Which currencies?', content: 'All are converted to dollars at the rate of the day.' },
      { label: 'Where does the data come from?', content: 'From the ledger, every hour.' },
    ],
  },
  tabs: {
    type: 'tabs',
    key: 'quarters',
    notify: true,
    tabs: [
      { id: 'q3', label: 'Q3', content: 'Revenue grew by **15 %** to $2.4M.' },
      { id: 'q2', label: 'Q2', content: [[{ type: 'card', title: 'Revenue', content: '$2.1M' }]] },
      { id: 'q1', label: 'Q1', content: 'Revenue was flat.' },
    ],
  },
  markdown: {
    type: 'markdown',
    content:
      '## Summary\n\nRevenue is **up 15 %**, mostly in *North America*. See the [report](https://example.com/report).\n\n' +
      '- New customers: 42\n- Churn: `1.8 %`\n\n```sql\nselect sum(amount) from invoices\n```\n\n> Europe follows in Q4.',
  },
  image: {
    type: 'image',
    src: 'https://images.example.com/office.png',
    alt: 'Hills at dusk',
    caption: 'The view from the new office',
    href: 'https://example.com/office',
  },
  embed: { type: 'embed', url: 'https://maps.example.com/office', title: 'Where the office is', height: '180px' },
  citation: {
    type: 'citation',
    title: 'World Economic Outlook',
    url: 'https://example.com/outlook',
    author: 'International Monetary Fund',
    date: 'October 2026',
    quote: 'Growth is expected to remain stable.',
  },
  suggestions: {
    type: 'suggestions',
    key: 'next',
    suggestions: ['Compare with Q2', 'Show the forecast', 'Export as PDF'],
  },
  form: {
    type: 'form',
    key: 'budget',
    title: 'Plan the campaign',
    description: 'The agent goes on with these values.',
    fields: [
      { name: 'name', label: 'Name', required: true, placeholder: 'Spring sale' },
      {
        name: 'budget',
        label: 'Budget',
        kind: 'number',
        min: 100,
        max: 50_000,
        description: 'In dollars, for the month',
      },
      {
        name: 'region',
        label: 'Region',
        kind: 'select',
        options: [
          { value: 'na', label: 'North America' },
          { value: 'eu', label: 'Europe' },
        ],
      },
      {
        name: 'channels',
        label: 'Channels',
        kind: 'multiselect',
        value: ['mail'],
        options: [
          { value: 'mail', label: 'Mail' },
          { value: 'search', label: 'Search' },
        ],
      },
      { name: 'now', label: 'Start at once', kind: 'checkbox', value: true },
    ],
    submit: 'Plan it',
  },
  chart: {
    type: 'chart',
    key: 'by-quarter',
    title: 'Revenue by quarter',
    kind: 'bar',
    unit: '$',
    selectable: true,
    labels: ['Q4', 'Q1', 'Q2', 'Q3'],
    series: [
      { name: 'North America', values: [810_000, 900_000, 1_050_000, 1_240_000] },
      { name: 'Europe', values: [640_000, 690_000, 720_000, 800_000] },
    ],
  },
};

/** Trees for the pictures: components together, and one that is broken. */
export const DASHBOARD: Readonly<Record<string, readonly unknown[]>> = {
  dashboard: [
    [
      {
        type: 'card',
        key: 'revenue',
        title: 'Revenue',
        content: '$2.4M',
        actions: ['Deep Dive'],
        metadata: 'Third quarter',
      },
      { type: 'card', title: 'Growth', content: '+15 %', metadata: 'On the second quarter' },
    ],
    {
      type: 'chart',
      title: 'Customers',
      kind: 'area',
      labels: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
      series: [{ name: 'Active', values: [210, 260, 255, 320, 390, 460] }],
    },
    { type: 'suggestions', suggestions: ['Show Q2', 'Export'] },
  ],
  problem: [
    { type: 'image', src: 'javascript:alert(1)', alt: 'Sales' },
    { type: 'card', title: 'Revenue', content: '$2.4M' },
  ],
};
