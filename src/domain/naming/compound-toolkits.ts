/**
 * The toolkits whose own slug contains an underscore: Composio's, and Helve's Google ones.
 *
 * `ZOHO_BOOKS_CREATE` does not say where the toolkit ends. If the available tools decided it, a toolkit called
 * `github_create` could take over `GITHUB_CREATE_ISSUE`; a fixed list cannot be taken over. For a toolkit that is
 * missing here, only the appearance suffers: its tools carry a fingerprint in the Composio form until it is added.
 * Adding one changes only the Composio and legacy forms of that toolkit (names given to models do not depend on this
 * list).
 */
const slugs = `
  _1password _21risk _2chat accredible_certificates active_campaign active_trail aero_workflow agent_mail agility_cms
  ai_ml_api all_images_ai alpha_vantage alttext_ai ambient_weather anchor_browser anthropic_administrator api_bible
  api_labz api_ninjas api_sports apify_mcp apipie_ai apitemplate_io asin_data_api astica_ai async_interview
  benchmark_email better_proposals better_stack big_data_cloud bigpicture_io bolt_iot breezy_hr brex_staging
  brilliant_directories browser_tool browserbase_tool btcpay_server campaign_cleaner capsule_crm cdr_platform
  census_bureau claid_ai cloudflare_api_key cloudflare_browser_rendering code_analysis_tool code_format_tool
  college_football_data composio_search contentful_graphql context7_mcp control_d conversion_tools convolo_ai
  countdown_api currents_api customer_io cutt_ly dadata_ru deadline_funnel deepwiki_mcp devin_mcp dictionary_api
  digital_ocean dock_certs docker_hub docsbot_ai doppler_marketing_automation doppler_secretops drip_jobs dropbox_sign
  dungeon_fighter_online eagle_doc embed_tool eodhd_apis epic_games esignatures_io extracta_ai fal_ai fidel_api
  files_com fillout_forms fixer_io follow_up_boss fraudlabs_pro gan_ai gender_api genderapi_io gift_up go_to_webinar
  google_address_validation google_admin google_analytics google_calendar google_chat google_classroom
  google_cloud_vision google_gmail google_maps google_search_console google_sheets google_workspace granola_mcp
  hackerrank_work happy_scribe help_scout history_fetcher html_to_image hub_planner hugging_face ibm_x_force_exchange
  icims_talent_cloud idea_scale image_analyser imagekit_io imejis_io incident_io influxdb_cloud insighto_ai
  ip2location_io ipdata_co ipinfo_io iqair_airvisual keen_io ko_fi kontent_ai kraken_io labs64_netlicensing
  launch_darkly lemon_squeezy lever_sandbox linkedin_ads logo_dev loops_so mails_so many_chat microsoft_clarity
  microsoft_teams microsoft_tenant mistral_ai monday_mcp more_trees mx_technologies mx_toolbox nano_nets nethunt_crm
  new_relic news_api nocrm_io nozbe_teams nusii_proposals ocr_web_service one_drive onesignal_rest_api
  onesignal_user_auth open_sea opengraph_io openweather_api owl_protocol page_x parsio_io pdf_api_io pdf_co
  pipeline_crm planyo_online_booking plausible_analytics polygon_io postgrid_verify postiz_mcp process_street
  project_bubble promptmate_io push_by_techulus rawg_video_games_database re_amaze redcircle_api reddit_ads
  remote_retrieval remove_bg reply_io respond_io rev_ai ring_central rocket_reach rosette_text_analytics
  rudderstack_transformation salesforce_service_cloud sap_successfactors scale_ai scrape_do scrapegraph_ai
  screenshot_fyi search_api seat_geek sendbird_ai_chabot share_point short_io short_menu shorten_rest
  similarweb_digitalrank_api simla_com simple_analytics sms_alert snowflake_basic sslmate_cert_spotter_api stack_ai
  stack_exchange stormglass_io studio_by_ai21_labs survey_monkey synthflow_ai tavily_mcp test_app text_to_pdf
  thanks_io the_odds_api tinyfish_mcp token_metrics tripadvisor_content_api turbot_pipes twelve_data twitter_media
  uniswap_api updown_io wave_accounting wolfram_alpha_api woodpecker_co workspace_tool zoho_bigin zoho_books zoho_desk
  zoho_inventory zoho_invoice zoho_mail`;

const compoundToolkits: ReadonlySet<string> = new Set(slugs.trim().split(/\s+/));

/**
 * The toolkit that a lower-case flat form (`zoho_books_create`) belongs to: the longest listed one that matches, else
 * its first word.
 */
export function toolkitOfFlatForm(flat: string): string {
  let owner = '';
  for (let end = flat.indexOf('_', 1); end > 0; end = flat.indexOf('_', end + 1)) {
    const prefix = flat.slice(0, end);
    if (owner === '' || compoundToolkits.has(prefix)) owner = prefix;
  }
  return owner;
}
