/** Dutch verbs and nouns of requests; see `lexicon.ts`. Verbs with a separable part are written together. */
import type { LanguageData } from './lexicon.js';

export const dutch: LanguageData = {
  functions: `
    the de het, a een, of van, in in, on op, to naar aan te tot, for voor, with met, from uit vanaf, by door bij, and en, or of_anders, then
    dan daarna vervolgens, my mijn m_n, our ons onze, your jouw je uw, his zijn haar hun, this deze dit, that dat die, all
    alle alles allemaal, me mij me, i ik, we wij we, it hij zij ze hem er zich, is is zijn_er staat staan wordt was, not
    niet geen, if als, about over, between tussen, without zonder, what wat welke welk, who wie, when wanneer, how hoe, where
    waar, please alsjeblieft alstublieft graag even, want wil wilt moet kun kan kunt zou nodig heb hebt heeft hebben, also
    ook, until tot_en_met, now nog om up eens toch wel eigenlijk terug weer mevrouw meneer, only alleen maar, more meer, how_many hoeveel, be zijn_geweest worden, so zodat,
    there erin erbij eraf eruit erop ermee, let laat mag moeten kunnen, no nee, me mezelf, so ja, again opnieuw, very
    heel, so dus, under onder, on boven, off af,
    still steeds, already reeds alweer, always altijd, something iets, somebody iemand, everyone iedereen elke, nobody
    niemand geen_enkele, nothing niks niets, why waarom, because omdat, before voordat, after nadat, during tijdens, against
    tegen, above bovenaan, below onderaan beneden, outside buiten, away weg, down omlaag, up omhoog, very erg, too te_veel,
    less minder, enough genoeg, almost bijna, soon binnenkort, immediately meteen, quickly snel gauw, maybe misschien, about
    ongeveer, together samen, first eerst eerste, second tweede, third derde, once eenmaal, again nogmaals, same hetzelfde
    dezelfde, other andere anderen, every elk, many veel, some enkele sommige, both allebei beide, whole hele, most meeste,
    thanks bedankt dank, hello hoi dag_allemaal, ok oke prima, yes jazeker, can mogen, should zouden, had hadden, done
    gedaan, now nu, later straks later_nog, ago geleden, until_now tot_nu_toe, instead in_plaats_van, just eventjes, there
    daar ginds, here hierheen, mine van_mij, us ons_allemaal, one ene,
    am ben, is stond ligt zit hangt, had had heeft_er, with mee met_z_n, it ie, after achter na_het, per per, since
    sinds, his z_n zn, of ervan daarvan, on daarop, in daarin, about erover, for ervoor, until totdat, while terwijl, as
    zodra, also eveneens, please aub svp, still nog_steeds, not_yet nog_niet, where waarheen, whom aan_wie, how_long
    hoe_lang, how_often hoe_vaak, self zelf, completely helemaal, everywhere overal, each_other elkaar, somewhere
    ergens, you jij jullie u, must moest moesten, could kon konden, that wat_ik, at bij_ons, one eentje, previous vorige
    vorig, next volgend`,
  verbs: `
    create voorbereiden, create maken maak aanmaken aangemaakt opstellen genereren, add toevoegen voeg_toe zetten zet invoegen, delete
    verwijderen wissen, remove weghalen eraf_halen verwijder_uit, update bijwerken werk_bij wijzigen aanpassen bewerken,
    change veranderen wissel, rename hernoemen, set instellen, send sturen stuur verzenden versturen verstuur zenden, reply
    antwoorden beantwoorden, forward doorsturen, show tonen toon laten_zien laat_zien zien bekijken bekijk weergeven, get halen ophalen opvragen geven geef krijgen pak weten, list opsommen lijst_op, search zoeken zoek opzoeken, find vinden vind,
    open openen, read lezen lees, download downloaden binnenhalen, upload uploaden, export exporteren, import importeren,
    move verplaatsen schuiven, copy kopieren, duplicate dupliceren, share delen deel, invite uitnodigen nodig_uit, assign toewijzen
    wijs_toe, close sluiten afsluiten, complete afronden voltooien afvinken, mark markeren, cancel annuleren afzeggen,
    archive archiveren, restore herstellen terugzetten, publish publiceren, post plaatsen plaats, schedule plannen plan
    inplannen, reschedule verzetten verschuiven opschuiven uitstellen verplaats_de_afspraak, start starten beginnen begin, stop stoppen, pause
    pauzeren, resume hervatten, run uitvoeren draaien, enable inschakelen aanzetten activeren, disable uitschakelen
    uitzetten deactiveren, approve goedkeuren, reject afwijzen afkeuren, accept accepteren aannemen, merge samenvoegen, lock
    vergrendelen, unlock ontgrendelen, subscribe abonneren, unsubscribe uitschrijven afmelden, follow volgen, unfollow
    ontvolgen, pay betalen, charge afschrijven, refund terugbetalen terugstorten, buy kopen, order bestellen, book boeken
    reserveren, check controleren nakijken checken, verify verifieren valideren, count tellen, calculate berekenen reken
    uitrekenen, convert omrekenen omzetten converteren, translate vertalen, summarize samenvatten vat_samen, compare
    vergelijken, analyze analyseren, write schrijven schrijf, save opslaan bewaren, attach bijvoegen, block blokkeren,
    notify melden waarschuwen informeren, remind herinneren, connect verbinden koppelen, disconnect loskoppelen, sync
    synchroniseren, track volgen_van, record vastleggen registreren noteren, call bellen, ask vragen, sign ondertekenen,
    print afdrukken printen, play afspelen speel, mute dempen, pin vastpinnen, sort sorteren, filter filteren, replace
    vervangen, clear leegmaken legen, leave verlaten, join deelnemen, deploy uitrollen, build bouwen, test testen, scan
    scannen, extract uithalen extraheren, transcribe transcriberen, draw tekenen, resize verkleinen, compress comprimeren,
    submit indienen, describe beschrijven, explain uitleggen, tag taggen, comment reageren, review beoordelen, link
    linken, hide verbergen, reset resetten, retry opnieuw_proberen, split splitsen, transfer overmaken overzetten, suspend
    schorsen, revoke intrekken, grant verlenen, crop bijsnijden, predict voorspellen, solve oplossen, browse bladeren,
    visit bezoeken, multiply vermenigvuldigen, round afronden_op,
    win winnen gewonnen, lose verliezen verloren kwijt, sell verkopen verkocht, forget vergeten, fix repareren gefixt,
    rent verhuren verhuurd, remove gooien gooi_weg, sign getekend tekenen_onder, cancel afgezegd,
    take nemen neem, put leggen, pull trekken, bring brengen breng, come komen komt, go gaan gaat, stay overblijven, owe
    schuldig, earn verdienen, cost kost, consume verbruiken verbruikt, hit raken, grow groeien gegroeid, increase verhogen,
    reduce verlagen verminderen, improve verbeteren, finish afmaken klaar, work werken gewerkt, leave laten,
    hold houden vasthouden, keep behouden, sign_in inloggen, sign_out uitloggen, register aanmelden, clock_in inklokken,
    clock_out uitklokken, withdraw opnemen, drop schrappen schrap, promote promoveren, fire ontslaan, recommend aanbevelen
    aanraden, suggest voorstellen, discuss bespreken, speak praten spreken, tell zeggen zeg, report rapporteren, decide
    beslissen, measure meten, weigh wegen, cook koken, clean schoonmaken opschonen, deliver bezorgen leveren, arrive
    aankomen aangekomen, pack inpakken, break kapot, wait wachten, watch kijken, listen luisteren, learn leren, teach
    lesgeven, enroll inschrijven, ban verbannen, kick eruit_gooien, hang_up ophangen, charge opladen, restart herstarten,
    roll_back terugdraaien, migrate migreren, index indexeren, crawl doorzoeken, detect herkennen, classify indelen, match
    matchen, rank rangschikken,
    remind herinner, nudge duwtje_geven, forward doorstuur, call_back terugbellen, drop_off afgeven, lend uitlenen
    uitgeleend, borrow lenen, exchange ruilen, return terugsturen, pay betaald, sell uitverkocht, answer beantwoord, confirm
    bevestigen bevestig, accept toezeggen, decline afslaan, bring_forward vervroegen, shorten inkorten, extend verlengen,
    renew vernieuwen, expire aflopen, swap omwisselen, cover invallen, thank bedanken, apologize verontschuldigen,
    congratulate feliciteren, hang ophangen_aan, stick plakken, cut knippen, throw_out weggooien, tidy opruimen ordenen,
    open geopend, switch_on aandoen, lower zachter, raise harder, wake wekken, look kijk, see gezien, know weet, think
    denken, happen gebeurd, fall gevallen, rise gestegen, miss gemist, wear dragen, help helpen help_me, log noteer, swipe
    vegen, pack bundelen,
    retweet retweeten, clone klonen, unsubscribe opzeggen, sign_up aanmelden_voor, take_over overnemen oppakken, sign
    ondertekend, get ontvangen krijgt, change gewijzigd veranderd, write geschreven, say gezegd, exist bestaat bestaan, mean
    betekent, use gebruikt, forget vergeet, freeze bevriezen bevries, deploy live_zetten, escalate escaleren, join
    erbij_komen, travel reizen, breed fokken, rain regenen regent, freeze_over vriest vorst,
    add voeg zet_erbij zet_erop doe_erbij bijgevoegd toegevoegd bijzetten erbij_zetten neerzetten, write schreef
    genoteerd opschrijven opgeschreven schrijf_op opschrijf, send verstuurd verstuurde stuurde gestuurd verzonden
    stuur_door opsturen opgestuurd mailen gemaild mail_even, forward doorgestuurd doorzetten, resend opnieuw_sturen
    nog_een_keer_sturen, call gebeld belde bel opbellen teruggebeld, call_back bel_terug, transfer doorverbinden
    verbind_door overgemaakt maak_over, hang_up hang_op, remember onthou onthouden, remind herinnering_sturen, cancel
    zeg_af geannuleerd annuleer niet_door gaat_niet_door afblazen, delete weggegooid gewist wis, remove haal_weg
    haal_eruit haal_eraf uitschrijven_uit eruit_halen verwijderd, get opgehaald kreeg gekregen pakken, give gaf gegeven,
    take nam genomen, see zie zag, tell vertel vertellen zei doorgeven geef_door, know wist, find gevonden vond zoek_op,
    search gezocht zocht, check kijk_of kijk_na controleer nagaan, pay betaalde afrekenen reken_af, charge afgeschreven,
    refund terugbetaald geld_terug_geven, receive ontving binnengekomen binnengekregen, buy gekocht kocht koop, order
    besteld bestelde bestel nabestellen bijbestellen, book geboekt reserveer gereserveerd, move verzet verplaatst
    verhuis schuif_door verschoven, postpone uitgesteld stel_uit, bring_forward naar_voren, reschedule verzetten_naar,
    change aangepast pas_aan wijzig, update bijgewerkt, correct verbeter corrigeer rechtzetten, close dicht dichtdoen
    sluit_af afgesloten, open opendoen opengezet, complete afgerond gehaald vink_af afgevinkt, start begonnen gestart,
    stop ophouden hou_op stopgezet, turn_on zet_aan aangezet doe_aan, turn_off zet_uit uitgezet uitdoen doe_uit, block
    geblokkeerd tegenhouden, assign toegewezen overdragen draag_over, invite uitgenodigd, join meedoen doe_mee
    aangemeld, register ingeschreven schrijf_in meld_aan, unsubscribe schrijf_uit meld_af, approve goedgekeurd keur_goed
    akkoord, reject afgekeurd keur_af afgewezen weigeren, accept aangenomen neem_aan, share gedeeld, ask gevraagd vroeg,
    submit ingeleverd inleveren lever_in ingediend, fill ingevuld invullen vul_in, save bewaar bewaard opgeslagen
    sla_op, keep hou, print geprint uitprinten, translate vertaald, summarize samengevat, compare vergeleken, calculate
    reken_uit uitgerekend, count geteld, type uittypen uitgetypt, merge samengevoegd voeg_samen, split opsplitsen splits
    verdelen verdeel, convert zet_om omgezet, archive gearchiveerd, restore zet_terug teruggezet terughalen haal_terug,
    publish online_zetten geplaatst, schedule plan_in gepland ingepland, fix gerepareerd maken_we, break stukgegaan,
    fail misgegaan ging_mis, work werkt werkte gelukt, happen gebeurde gebeurt, come kwam kwamen gekomen langskomen, go
    ging gegaan, live woont woonde, talk gesproken besproken afgesproken, marry getrouwd, move verhuisd, lock
    op_slot_zetten, unlock van_slot, raise verhoogd, lower verlaagd, extend verlengd, deliver bezorgd geleverd, return
    teruggestuurd retourneren, draw teken getekend_plaatje, record opgenomen neem_op, measure gemeten, follow gevolgd,
    lose verloor kwijtgeraakt, win won, leave weggaat weggaan vertrekken vertrekt, clean opgeruimd ruim_op, fail crasht
    gecrasht, hang vastgelopen loopt_vast, withdraw teruggetrokken trek_in, arrange geregeld regelen, show_up opdagen,
    mute stil_zetten, deploy uitgerold`,
  nouns: `
    email mail mailtje e_mail, inbox postvak, message bericht berichten berichtje, channel kanaal, conversation gesprek,
    thread draad, reply antwoord, draft concept, attachment bijlage, label etiket, folder map mappen, file bestand, document
    document, page pagina, note notitie, notebook notitieboek, task taak, subtask subtaak deeltaak, list lijst, project
    project, board bord, card kaart kaartje, column kolom, checklist checklist, comment opmerking reactie, mention vermelding,
    issue probleem, bug fout_in_de_code, repository repo, branch tak, release uitgave, code code, workflow werkstroom,
    deployment uitrol, environment omgeving, variable variabele, secret geheim, key sleutel, event evenement gebeurtenis,
    calendar agenda kalender, meeting vergadering overleg, appointment afspraak, reminder herinnering, invitation
    uitnodiging, attendee deelnemer genodigde, availability beschikbaarheid, schedule rooster planning, contact contact
    contactpersoon, customer klant, company bedrijf, organization organisatie, deal transactie_met_klant, opportunity kans,
    quote offerte, order bestelling, cart winkelwagen, product product, item artikel_in_winkel, price prijs, discount
    korting, coupon kortingsbon, inventory voorraad, shipment zending verzending, package pakket pakje, address adres, store winkel,
    invoice factuur facturen, payment betaling, refund terugbetaling, subscription abonnement, balance saldo, account
    rekening, transaction transactie, transfer overschrijving, receipt bon kassabon, expense uitgave_kosten declaratie
    onkosten uitgaven, budget budget begroting, tax belasting, credit krediet, dispute geschil, vendor leverancier, employee
    medewerker werknemer, candidate kandidaat sollicitant, job vacature baan, application sollicitatie, vacation vakantie,
    leave verlof, payroll salarisadministratie, salary salaris, shift dienst, team ploeg, member lid leden, user gebruiker,
    group groep, role rol, permission machtiging recht, access toegang, password wachtwoord, profile profiel, photo foto,
    image afbeelding plaatje, video filmpje, song nummer_muziek liedje, playlist afspeellijst, artist artiest, recording
    opname, transcript transcript uitgeschreven_tekst, translation vertaling, language taal, text tekst, summary
    samenvatting, report rapport verslag rapportage, chart grafiek, dashboard overzicht, statistics statistiek cijfers,
    analysis analyse, spreadsheet rekenblad, sheet blad werkblad, row rij regel, cell cel, table tabel, database databank,
    field veld, value waarde, query zoekopdracht, form formulier, survey enquete, response antwoorden, question vraag, template
    sjabloon, campaign campagne, audience doelgroep, subscriber abonnee, newsletter nieuwsbrief, post berichtje_op_blog,
    article artikel, story verhaal, follower volger, website site website, domain domein, link koppeling, result resultaat,
    news nieuws, weather het_weer weerbericht, forecast verwachting voorspelling weersverwachting, temperature temperatuur, map plattegrond
    landkaart, location locatie plek, city stad, country land, route route, distance afstand, flight vlucht, hotel hotel,
    reservation reservering, ride rit, restaurant restaurant, review recensie beoordeling, currency munt valuta,
    exchange_rate wisselkoers koers, number getal nummer, sum som, percentage percentage procent, date datum, time tijd,
    timezone tijdzone, duration duur, day dag, week week, month maand, year jaar, today vandaag, tomorrow morgen, yesterday
    gisteren, hour uur uren, timer stopwatch, log logboek, error fout, alert waarschuwing, incident storing, status stand,
    server server, backup reservekopie, space ruimte, storage opslag, device apparaat, light licht lamp, phone telefoon,
    call telefoontje gesprek_telefoon, voicemail voicemail, sms sms, notification melding, settings instelling instellingen,
    version versie, history geschiedenis, change wijziging verandering, copy kopie, name naam, title titel, description
    beschrijving omschrijving, category categorie, priority prioriteit, deadline einddatum, owner eigenaar, stage fase, goal
    doel, milestone mijlpaal, workspace werkruimte, drive schijf, signature handtekening, contract contract, envelope
    envelop, student leerling, course cursus vak, class klas, grade cijfer, assignment huiswerk opdracht, lesson les, recipe
    recept, book boek, chapter hoofdstuk, definition definitie, word woord, game spel, patient patient, property pand, house
    huis, car auto, vehicle voertuig, driver chauffeur, delivery levering bezorging, new nieuw nieuwe, last laatste, next
    volgende, open openstaande, unread ongelezen, old oud oude, free vrij, person persoon mensen, activity activiteit,
    request verzoek aanvraag, data gegevens, tool hulpmiddel, ad advertentie, view weergave, keyword trefwoord, purchase
    aankoop, sale verkoop, guest gast, size grootte, color kleur, command opdrachtregel, screenshot schermafbeelding, browser
    browser, memory geheugen,
    money geld, room kamer ruimte_zaal, kitchen keuken, rent huur, lease huurcontract, insurance verzekering, doctor
    dokter arts, dentist tandarts, pharmacy apotheek, child kind kinderen, dog hond, cat kat, wedding bruiloft,
    birthday verjaardag, friend vriend vriendin vrienden, family familie gezin, school school, train trein, trash
    prullenbak vuilnis, weekend weekend, coffee koffie, gift cadeau, key sleutels, apartment appartement, agreement
    overeenkomst, fee kosten toeslag, tenant huurder, minute minuut minuten, half helft, supplier toeleverancier,
    monday maandag, tuesday dinsdag, wednesday woensdag, thursday donderdag, friday vrijdag, saturday zaterdag, sunday
    zondag, january januari, february februari, march maart, june juni, july juli, august augustus, october oktober, morning
    ochtend, noon middag, afternoon namiddag, evening avond, night nacht vannacht, two twee, three drie, ten tien, quarter
    kwartaal, season seizoen, summer zomer, spring lente voorjaar, autumn herfst, holiday feestdag, christmas kerst
    kerstmis, easter pasen, participant deelnemers, department afdeling, recipient ontvanger geadresseerde, sender afzender,
    feedback terugkoppeling, estimate schatting, preview voorbeeldweergave, skill vaardigheid, score stand_van_de_wedstrijd,
    brand merk, retention bewaartermijn, dictionary woordenboek, risk risico, target doelstelling, payout uitbetaling, quota
    quotum, limit limiet, stock aandeel, quiz toets, enrollment inschrijving, market markt, license licentie, letter brief,
    postcard ansichtkaart, evidence bewijs, income inkomen inkomsten, revenue omzet, profit winst, loss verlies, debt
    schuld, amount bedrag, loan lening, donation donatie gift, donor donateur, accounting boekhouding, warehouse magazijn,
    carrier vervoerder, return retour retourzending, warranty garantie, complaint klacht, support ondersteuning, caller
    beller, queue wachtrij, overtime overuren, absence afwezigheid, interview sollicitatiegesprek, resume cv, manager
    leidinggevende baas, colleague collega, intern stagiair, training opleiding, exam examen tentamen, teacher leraar
    docent, parent ouders, attendance aanwezigheid, university universiteit, library bibliotheek, author auteur schrijver,
    publisher uitgeverij, verse vers, poem gedicht, quote citaat, player speler, coach trainer, goal doelpunt, scorer
    topscorer, match wedstrijd, league competitie, standings ranglijst, injury blessure geblesseerd, lineup opstelling,
    referee scheidsrechter, stadium stadion, odds kansen, movie film, show serie, episode aflevering, lyrics songtekst,
    voice stem, sound geluid, subtitle ondertitel ondertiteling, thumbnail miniatuur, background achtergrond, avatar
    profielfoto, icon pictogram, font lettertype, design ontwerp, layer laag, frame kader, shape vorm, drawing tekening,
    slide dia, presentation presentatie, paragraph alinea, heading kop koptekst, footer voettekst, sentence zin, abstract
    samenvatting_van_het_artikel, paper onderzoek, source bron, reference verwijzing, topic onderwerp, entity entiteit, spam
    ongewenste_mail, policy beleid, condition voorwaarde, automation automatisering, connection verbinding, session sessie,
    login inloggegevens, admin beheerder, visitor bezoeker, traffic verkeer, click klik, conversion conversie, ranking
    positie, competitor concurrent concurrentie, investor investeerder, investment investering geinvesteerd, fund fonds,
    headcount personeelsbestand, industry branche, founder oprichter, neighborhood buurt, building gebouw, floor verdieping,
    parking parkeerplaats, garden tuin, roof dak, leak lekkage, heating verwarming, repair reparatie, equipment apparatuur,
    door deur, window raam venster, battery batterij accu, power stroom, fuel brandstof, fleet wagenpark, truck vrachtwagen,
    boat boot schip, station halte, airport luchthaven vliegveld, passenger passagier, passport paspoort, seat zitplaats,
    trip reis, luggage bagage koffer, breakfast ontbijt, dinner diner avondeten, food eten voedsel, drink drankje, wine
    wijn, grocery boodschappen, medicine medicijn, prescription recept_van_de_arts, hospital ziekenhuis, nurse
    verpleegkundige, diagnosis diagnose, symptom symptoom, allergy allergie, blood bloed, weight gewicht, height hoogte
    lengte, sleep slaap, exercise oefening, swimming zwemmen zwemles, animal dier huisdier, tree boom, air lucht, earthquake
    aardbeving, planet planeet, asteroid asteroide, satellite satelliet, law wet, court rechtbank, lawyer advocaat, lawsuit
    rechtszaak, witness getuige, notary notaris, signer ondertekenaar, document stukken, clause clausule, consent
    toestemming, club vereniging, volunteer vrijwilliger, church kerk, party feest, speaker spreker, booth
    stand_op_de_beurs, fair beurs, poll peiling stemming, vote stem_uitbrengen, idea idee, decision besluit beslissing,
    approval goedkeuring, mistake vergissing, outage uitval, crash vastloper, performance prestaties, uptime
    beschikbaarheid_van_de_server, certificate certificaat, network netwerk, function functie, feature functionaliteit,
    collection verzameling collectie, catalog catalogus, gallery galerij, bookmark bladwijzer, tab tabblad, button knop,
    banner spandoek, headline kop_in_de_krant, press pers, gift_card cadeaubon, loyalty spaarpunten, barcode streepjescode,
    quantity hoeveelheid aantal, unit eenheid, total totaal, average gemiddelde, archive archief, wallet portemonnee, crypto
    cryptomunt, gold goud, coordinates coordinaten, neighbour buurman, boss chef, office kantoor, desk bureau, keyword
    zoekwoord, headache hoofdpijn, name achternaam, age leeftijd, gender geslacht, nationality nationaliteit, end einde,
    current huidig huidige, late te_laat, wrong verkeerd verkeerde, missing ontbrekend ontbrekende, duplicate dubbel
    dubbele, empty leeg lege, public openbaar openbare, private prive, active actief actieve, expired verlopen, failed
    mislukt, pending openstaand, urgent dringend spoed, important belangrijk belangrijke, cheap goedkoop, nearby dichtbij,
    available beschikbaar, red rood rode, blue blauw blauwe, green groen groene, black zwart zwarte, white wit witte, dark
    donker donkere,
    four vier, five vijf, six zes, seven zeven, eight acht, nine negen, hundred honderd, thousand duizend, second seconden,
    day dagen, pipeline pijplijn, team teams, board prikbord, mailing_list mailinglijst, copy in_kopie, minutes notulen,
    group_chat groepsapp, video_call videogesprek, microphone microfoon, mute gedempt, slot tijdslot, waiting_list
    wachtlijst, deposit aanbetaling borg, installment termijn, bill energierekening, vat btw, tax_return belastingaangifte,
    petty_cash kassa, allowance toelage, mileage kilometers kilometer, reimbursement vergoeding, timesheet urenstaat,
    payslip loonstrook, wage loon, sick_leave ziek ziekmelding, cleaner schoonmaakster, plumber loodgieter, electrician
    elektricien, painter schilder, mechanic monteur garage werkplaats, construction bouw bouwplaats, offer aanbieding, shop
    zaak, shelf schap plank, delivery_note pakbon, sample monster staal, size maat, clothes kleding, shoe schoenen,
    phone_number telefoonnummer, meter_reading meterstand, electricity elektriciteit, temperature graden, heater radiator,
    air_conditioning airco, vacuum stofzuiger, living_room woonkamer, bedroom slaapkamer, bathroom badkamer, basement
    kelder, hallway gang, harbour haven, street straat, village dorp, holiday_home vakantiehuisje, guest gasten, competition
    toernooi, choir koor repetitie, baptism doop, funeral uitvaart begrafenis, anniversary jubileum, mother moeder mama,
    father vader papa, grandmother oma, grandfather opa, son zoon, daughter dochter, brother broer, sister zus, aunt tante,
    uncle oom, woman vrouw, girl meisje, boy jongen, vaccination vaccinatie prik, vet dierenarts, cow koe kalf, horse paard,
    chicken kip, egg eieren, milk melk, bread brood, cheese kaas, bakery bakkerij, soap zeep, candle kaars, flower bloem
    bloemen, cup mok beker, bicycle fiets, motorcycle motor_fiets, step stappen, run hardgelopen gelopen, blood_pressure
    bloeddruk, lock slot_op_de_deur, alarm wekker, fire brand, irrigation beregening, field akker perceel, hay hooi, note
    briefje aantekening, receipt bonnetje, voucher waardebon, subscription lidmaatschap, user gebruikers, permission
    rechten, error foutmelding, on_call piket, on_leave met_verlof, handover overdracht, inspection keuring, defect gebrek,
    maintenance onderhoud, spare_part reserveonderdeel, screw schroef, tool boormachine, neighborhood vve, hearing zitting,
    claim schadeclaim, insurer verzekeraar, landlord verhuurder, viewing bezichtiging, mortgage hypotheek,
    poster affiche, print_shop drukker, like vind_ik_leuk, follower volgers, star ster, table tafeltje, waiter ober, dish
    gerecht, schedule dienstregeling, test proefwerk, kindergarten kinderopvang creche, babysitter oppas, parents_evening
    ouderavond, microchip chip, customs douane, container zeecontainer, stocktaking voorraadtelling, best_before
    houdbaarheid,
    ready gereed, correct klopt juist, valid geldig geldige, tip fooi, direct_debit incasso, nut noten_eten, calorie
    calorieen, move verhuizing, tender aanbesteding, strike staking, elevator lift, drain afvoer, dishwasher vaatwasser
    afwasser, forklift heftruck, oil olie, spare reserve_onderdeel, leaflet brochure folder_van_papier, subpage subpagina,
    deadline uiterste_datum, archive dossiers, note notities, representative vertegenwoordiger, utilization bezetting,
    memory geheugenlek, husband echtgenoot, wife echtgenote, thing ding dingen, piece stuk onderdeel, way manier, size
    kleiner groter, long lang langer, short korte kort, big groot grote, small klein kleine, good goed goede, bad slecht
    slechte, better beter, latest nieuwste, main hoofd, own eigen, real echt echte, automatic automatisch, final definitief,
    english engels, german duits, french frans, spanish spaans, italian italiaans, polish pools, switzerland zwitserland
    zwitserse, cover omslag, air_quality luchtkwaliteit, section sectie rubriek, column kolommen, unit_test tests, lead
    leads, quote prijsopgave,
    label label, account account, deal deal, half half halve, euro euro, strange wazige wazig, time keer keren, mode
    modus, style stijl, diesel diesel, lunch lunch, list lijstje lijstjes boodschappenlijstje, man man mannen, husband
    man_van, plastic plastic, leak lek lekt, page bladzijde bladzij, alarm alarmen alarm, architect architect, paint
    verf, paper papier, member clubblad, draft klad, night nachtje, registration opgave inschrijvingen
    inschrijfformulier, signature ondertekening, bankrupt failliet, thesis scriptie, due_date vervaldatum, quality
    kwaliteit, postcode postcode, booking boeking boekingen, watermark watermerk, bucket emmer, dry_cleaner stomerij,
    lesson gitaarles lessen, code alarmcode, insurance verzekeringspapieren, candle bijenwaskaars, jacket jas, one_time
    eenmalig, walk wandeling, quiet rustig rustige, clogged verstopte verstopt, house huisje, fixed vast vaste, hurry
    haast, chaos chaos, experiment experimenten, sock sok, liter liter, pump pomp, service helpdesk, wrong foute, free
    vrije, busy bezet druk, appointment afspraken, reminder geheugensteuntje, invoice rekeningen, invoice nota, receipt
    bonnen, price prijzen, customer klanten, package pakketje, product spullen artikelen, employee medewerkers collegas,
    shift diensten, vacation vrije_dagen, sick_leave ziekgemeld, applicant sollicitanten, job vacatures, contract
    contracten, document papieren, file bestanden, folder mapje, image plaatjes fotos, video filmpjes, song nummers
    liedjes muziek, message berichtjes appje, channel kanalen, comment reacties opmerkingen, post berichten_online,
    visitor bezoekers, website webpagina, question vragenlijst, error fouten foutje, outage storingen, server servers,
    version versies, task taken klusje klusjes klus, project klus_bij, deadline inleverdatum, goal doelen, course
    cursussen, student leerlingen, teacher juf meester, trip uitje, weather weer_buiten, light lampen, heating kachel,
    note aantekeningen, idea ideeen, request verzoeken aanvragen, ticket meldingen, status stand_van_zaken, number
    aantallen, bank bank, november november, december december`,
};
