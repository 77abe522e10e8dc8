/** URL search parameters of the settings page. */
export interface SettingsSearch {
  tab?: string
}

export const TABS = [
  { value: 'members', label: 'Members' },
  { value: 'general', label: 'General' },
  { value: 'scores', label: 'Scores' },
  { value: 'keys', label: 'API keys' },
  { value: 'storage', label: 'Storage' },
  { value: 'retention', label: 'Retention' },
  { value: 'danger', label: 'Danger zone' },
] as const

export function readSettingsSearch(search: Readonly<Record<string, unknown>>): SettingsSearch {
  const tab = TABS.find(({ value }) => value === search['tab'])
  return tab === undefined ? {} : { tab: tab.value }
}
