/** French verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const french: LanguageData = {
  functions: `
    the le la les l, a un une, of de du des d, in dans en, on sur, to a au aux vers, for pour, with avec, from depuis, by par,
    and et, or ou, then puis ensuite, my mon ma mes, our notre nos, your votre vos ton ta tes, his son sa ses leur leurs,
    this ce cet cette ceci, these ces, that que qu cela ça ca c, all tous toutes tout toute, me moi me m, i je j, we nous on,
    it il elle ils elles lui y, is est sont est_ce, not ne pas n, if si, about concernant, between entre, without sans, what
    quel quelle quels quelles quoi qu_est_ce_que, who qui, when quand, how comment, where ou_est, please s_il_te_plait
    s_il_vous_plait svp stp, want veux voudrais voudrait besoin peux peut pourrais pourriez pouvez tu vous faut dois ai as
    avons avez, also aussi, until jusqu jusque, now maintenant chez deja encore ci la_bas monsieur madame, only seulement uniquement, more plus, how_many combien, be etre, s s se t te,
    but mais, very tres trop, them eux celui celle ceux celles, he lui_meme, before avant, after apres, no rien, so
    bien, some quelques, have ont avait etait etaient, why pourquoi, same meme, under sous, each chaque, here voici
    voila, must doit doivent,
    still toujours, something quelque_chose, somebody quelqu_un, everyone tout_le_monde chacun, nobody personne_n, because
    parce_que, during pendant, against contre, above dessus en_haut, below dessous en_bas, inside dedans, outside dehors,
    back de_retour, away loin, down vers_le_bas, up vers_le_haut, less moins, enough assez, almost presque, soon bientot,
    immediately tout_de_suite, quickly vite rapidement, maybe peut_etre, about environ, together ensemble, first premier
    premiere premieres d_abord, second deuxieme, third troisieme, once une_fois, again de_nouveau, same memes, other autre
    autres, many beaucoup, some certains, both les_deux, whole entier entiere, most la_plupart, thanks merci, hello bonjour
    salut, ok d_accord, yes oui, can peuvent pouvons, should devrais devrait, had avais, done faite, later plus_tard, ago
    tout_a_l_heure, until_now jusqu_ici, instead au_lieu_de, just juste, here ici, mine le_mien, us nous_autres, one
    une_seule,
    have jai avaient eu aurai aura auront, it soccupe ca_se, like comme, please merci_de merci_d, then alors donc,
    little peu un_peu, between parmi, if sinon, everywhere partout, come viens revient reviennent, says disent dit_que,
    that telle quon qu_on, we on_a, of de_la part, before avant_de, would aimerais aimerait, until jusqu_a, there y_a
    ya, what est_ce_que quest_ce_que, how_long combien_de_temps_dure, how_many combien_y_a_t_il combien_d, in_fact
    en_fait finalement, only seul seule, during au_cours, his son_compte, one celui_la, without sans_les, this celui_ci,
    must faudrait doit_on`,
  verbs: `
    create preparer prepare, create creer cree generer faire fais fait faites, add ajouter ajoute inserer mettre mets mettez inclure, delete supprimer
    supprime effacer, remove enlever enleve retirer retire, update modifier modifie mettre_a_jour mets_a_jour actualiser
    corriger editer, change changer, rename renommer, set definir configurer fixer regler, send envoyer envoie envoyez
    expedier, reply repondre reponds repondez, forward transferer_le_mail faire_suivre, show montrer montre afficher affiche
    voir vois voyez regarder, get obtenir recuperer recupere consulter donner donne donnez savoir connaitre, list lister
    enumerer liste, search chercher cherche rechercher recherche, find trouver trouve retrouver, open ouvrir ouvre ouvrez,
    read lire lis lisez, download telecharger telecharge, upload televerser envoyer_le_fichier mettre_en_ligne_le_fichier
    uploader, export exporter, import importer, move deplacer deplace bouger, copy copier copie, duplicate dupliquer, share
    partager partage, invite inviter invite, assign assigner attribuer affecter, close fermer ferme cloturer clore, complete
    terminer termine finir achever completer, mark marquer cocher, cancel annuler annule, archive archiver, restore
    restaurer retablir, publish publier publie, post poster, schedule planifier programmer, reschedule reporter decaler
    reprogrammer, start demarrer lancer commencer, stop arreter arrete stopper, pause suspendre mettre_en_pause, resume
    reprendre reprends, run executer, enable activer allumer, disable desactiver eteindre eteins, approve approuver valider_la,
    reject rejeter refuser, accept accepter, merge fusionner fusionne, lock verrouiller bloquer, unlock deverrouiller
    debloquer, subscribe abonner s_abonner, unsubscribe desabonner, follow suivre suis, like aimer liker, pay payer paie
    regler_la, charge facturer_le debiter prelever, refund rembourser rembourse, buy acheter achete, order commander, book
    reserver reserve, check verifier verifie controler, verify valider, count compter, calculate calculer, convert convertir
    convertis, translate traduire traduis traduisez, summarize resumer resume, compare comparer, analyze analyser, write
    ecrire ecris rediger redige, save enregistrer sauvegarder, attach joindre joins, notify notifier prevenir previens
    avertir, remind rappeler rappelle, connect connecter relier, disconnect deconnecter, sync synchroniser, track suivre_le
    tracer, record noter consigner enregistrer_une, call appeler appelle telephoner, ask demander, sign signer, print
    imprimer, play jouer lire_la_musique, mute couper_le_son, pin epingler, sort trier, filter filtrer, replace remplacer,
    clear vider nettoyer, leave quitter, join rejoindre, deploy deployer, build construire compiler, test tester, scan
    scanner numeriser, extract extraire extrais, transcribe transcrire, draw dessiner, resize redimensionner, compress
    compresser, submit soumettre, describe decrire decris, explain expliquer, tag etiqueter, comment commenter, review
    relire examiner, link lier, hide masquer cacher, reset reinitialiser, retry reessayer, split diviser, transfer
    transferer virer, suspend suspendre_le, revoke revoquer, grant accorder, crop recadrer rogner, predict predire, solve
    resoudre, browse parcourir naviguer, visit visiter, evaluate evaluer, multiply multiplier, divide diviser_par, round
    arrondir,
    win gagner gagne, lose perdre perdu, sell vendre vendu, forget oublier oublie, fix reparer repare, rent louer
    loue, hire embaucher recruter, delete jeter jette vire, sign signe, finish fini, deliver livrer livre, come venir
    vient,
    take prendre prends, put remets, pull tirer sors, bring apporter, come arrive, go aller va, stay rester reste, need
    avoir_besoin falloir, owe devoir_de_l_argent, cost couter coute, consume consommer, hit toucher, grow grandir augmente,
    increase augmenter, reduce reduire baisser, improve ameliorer, work travailler bosse, function fonctionner, leave
    laisser, hold tenir garder, sign_in se_connecter, sign_out se_deconnecter, register inscrire, clock_in pointer,
    clock_out pointer_la_sortie, drop laisser_tomber, promote promouvoir, fire licencier, recommend recommander, suggest
    suggerer proposer, discuss discuter, speak parler parle, tell dire dis, report signaler, decide decider, plan prevoir,
    measure mesurer, weigh peser, cook cuisiner, eat manger, arrive arriver, pack emballer, break casser en_panne, wait
    attendre, listen ecouter, learn apprendre, teach enseigner, enroll inscrire_au_cours, ban bannir, kick expulser, hang_up
    raccrocher, charge recharger, restart redemarrer, roll_back revenir_en_arriere, migrate migrer, index indexer, detect
    detecter, classify classer, match rapprocher, rank classer_par,
    nudge relancer, reply repondu, forward transfere, call_back rappeler_au_telephone, pick_up aller_chercher, drop_off
    deposer, lend preter prete, borrow emprunter, exchange echanger, return renvoyer retourner, pay paye, sell epuise,
    confirm confirmer confirme, decline decliner, postpone repousser, bring_forward avancer, shorten raccourcir, extend
    prolonger, renew renouveler, expire expirer, swap permuter, cover remplacer_au_travail, thank remercier, apologize
    s_excuser, congratulate feliciter, hang accrocher, stick coller, cut couper, tidy ranger, open ouvert, switch_on
    mettre_en_route, raise monter, wake reveiller, look regarde jeter_un_œil, see vu, know sais, think penser, happen
    se_passe, fall tomber tombe, rise monte, miss manque rate, wear porter, help aider aide, tag taguer, swipe balayer, pack
    regrouper,
    retweet retweeter retweete, clone cloner, restore restaure, unsubscribe desinscrire, sign_up s_inscrire, take_over
    s_occuper occupe, get recevoir recoit, write ecrit, say dit, exist existe existent, mean signifie veut_dire, use utilise
    utilisent, freeze geler gele bloquer_la_carte, deploy mettre_en_prod, escalate escalader, travel voyager, breed elever,
    rain pleuvoir pleut, freeze_over gel_nocturne,
    add rajoute rajouter rajoutez ajoutes inscris inscrit inclus joindre_a pose poser insere, write ecrivez note_moi
    noter_que, mark marque, send envoies renvoyer_a expedie transmets transmettre transmis file_a fais_parvenir, resend
    renvoie, forward transferer_le fais_suivre, tell dis_a raconte informe informer, notify avertis alerte_moi, delete
    enlever_tout debarras debarrasse debarrasser efface, remove sortir_de ote oter exclure exclus, cancel abandonne
    abandonner laisse_tomber decommande resilie resilier, update met_a_jour actualise rectifie, correct corrige
    correctif, change change_le remplace_par basculer bascule, close solde_le boucle, complete coche_comme
    fais_comme_fini acheve, find cherche_moi, show voit, get obtiens recois, list liste_moi enumere, read lu, check
    surveiller surveille, approve approuve accorde, reject refuse rejette, accept accepte, pay reglez paies, charge
    facturer facture_le debite preleve, order commande_moi, book reserve_moi, schedule prevu cale caler fixe, postpone
    reporte_a, move glisse, assign attribue confier confie affecte, invite invite_le convier, join rejoins, publish
    poste_le mettre_en_ligne, post tweeter tweete, reply repond, ask demande_lui, call rappelle_le, hang_up raccroche,
    remind rappelle_moi rappeler_de, play lance_la, summarize resume_moi, calculate calcule, convert transformer
    transforme, split partager_en decoupe_en, duplicate copie_le, save sauve, restore remettre, unlock debloque, enable
    active, disable desactive, start demarre, pause suspends pause, run execute fais_tourner tourner tourne, restart
    redemarre, deploy deploie mise_en_prod, fix resolu, fail planter crashe echouer, leave partir_de quitte parti, go
    vais vont allons, come venu, return rendre renvoye, deliver livre_le livraison_de, unsubscribe desinscris, print
    imprime, explain explique, wash_up laver, sort ranger_par, hide cache masque, react reagir, like aimer_le, follow
    suis_le, type taper tape, withdraw debourser, spend depenser, marry marie_avec, take_care occupe_de`,
  nouns: `
    email courriel mail mel e_mail, inbox boite boite_de_reception, message message messages, channel canal canaux chaine,
    conversation conversation, thread fil fil_de_discussion, reply reponse, draft brouillon, attachment piece_jointe, label
    etiquette libelle, folder dossier repertoire, file fichier, document document, page page, note note, notebook carnet,
    task tache, subtask sous_tache, list liste, project projet, board tableau_kanban, card carte fiche, column colonne,
    comment commentaire, mention mention, reaction reaction, issue probleme, ticket ticket, bug bogue anomalie, repository
    depot, branch branche, release version_publiee, code code, workflow flux flux_de_travail, deployment deploiement,
    environment environnement, variable variable, secret secret, key cle, event evenement, calendar calendrier agenda,
    meeting reunion, appointment rendez_vous rdv, reminder rappel, invitation invitation, attendee participant invite_e,
    availability disponibilite creneau, schedule horaire planning emploi_du_temps, contact contact, customer client clients
    cliente, company entreprise societe, organization organisation, lead prospect, deal affaire, opportunity opportunite,
    quote devis, order commande commandes, cart panier, product produit, item article_en_vente element, price prix, discount
    remise reduction, coupon bon_de_reduction, inventory stock inventaire, shipment expedition livraison_en_cours, package
    colis, address adresse, store boutique magasin, invoice facture factures, payment paiement reglement, refund
    remboursement, subscription abonnement, plan forfait, balance solde, account compte comptes, transaction transaction,
    transfer virement transfert, receipt reçu recu, expense depense frais note_de_frais, budget budget, tax taxe impot,
    credit credit, dispute litige, vendor fournisseur, employee employe salarie collaborateur, candidate candidat, job
    emploi poste offre_d_emploi, application candidature, vacation vacances conge conges, leave absence, payroll paie,
    salary salaire, shift garde, team equipe, member membre, user utilisateur utilisateurs, group groupe, role role,
    permission autorisation droit, access acces, password mot_de_passe, profile profil, photo photo, image image, video
    video, song chanson morceau, playlist liste_de_lecture, album album, artist artiste, recording enregistrement,
    transcript transcription, translation traduction, language langue, text texte, summary resume, report rapport, chart
    graphique, dashboard tableau_de_bord, statistics statistique statistiques, metric metrique, analysis analyse,
    spreadsheet feuille_de_calcul tableur, sheet feuille, row ligne, cell cellule, table tableau, database
    base_de_donnees, record enregistrements, field champ, value valeur, query requete, form formulaire, survey sondage
    enquete, response reponses, question question, template modele gabarit, campaign campagne, audience audience public,
    segment segment, subscriber abonne abonnes, newsletter infolettre lettre_d_information, post publication billet, article
    article, story histoire, follower abonne_du_compte, website site site_web, domain domaine, link lien, result resultat,
    news actualite nouvelles actualites, weather meteo temps, forecast prevision previsions, temperature temperature, map
    carte_geographique plan_de_ville, location lieu emplacement, city ville, country pays, route itineraire trajet, distance
    distance, flight vol, hotel hotel, reservation reservation, ride course, restaurant restaurant, menu menu, review avis,
    rating note_moyenne, currency devise monnaie, exchange_rate taux_de_change, number nombre numero, sum somme, percentage
    pourcentage, date date, time heure, timezone fuseau_horaire, duration duree, day jour, week semaine, month mois, year
    annee an, today aujourd_hui, tomorrow demain, yesterday hier, timer minuteur chronometre, log journal, error erreur,
    alert alerte, incident incident, status statut etat, server serveur, backup sauvegarde, space espace, storage stockage,
    device appareil, light lumiere lampe, phone telephone portable, call appel, voicemail messagerie_vocale, sms sms texto,
    notification notification, settings parametres reglages preferences, version version, history historique, change
    changement modification, copy copies, name nom, title titre, description description, category categorie, priority
    priorite, deadline echeance date_limite, owner proprietaire responsable, stage etape phase, goal objectif, milestone
    jalon, workspace espace_de_travail, drive lecteur, signature signature, contract contrat, envelope enveloppe, student
    eleve etudiant, course cours, class classe, grade notes, assignment devoir, lesson leçon lecon, recipe recette, book
    livre, chapter chapitre, definition definition, word mot, game jeu match, patient patient, property bien, house maison,
    car voiture, vehicle vehicule, driver chauffeur conducteur, delivery livraison, new nouveau nouvelle nouveaux, last
    dernier derniere derniers dernieres, next prochain prochaine, open ouverts ouvertes, unread non_lus non_lu, old vieux
    ancien, free libre, person personne personnes gens, activity activite, request demande, data donnees, tool outil, ad
    annonce publicite pub, view vue, keyword mot_cle, purchase achat, sale vente ventes, guest hote, size taille, color
    couleur, command commande_shell, screenshot capture capture_d_ecran, browser navigateur, memory memoire,
    money argent fric, room chambre piece salle, kitchen cuisine, rent loyer, lease bail, insurance assurance, doctor
    medecin docteur, dentist dentiste, pharmacy pharmacie, child enfant enfants, dog chien, cat chat, wedding mariage,
    birthday anniversaire, friend ami amie amis, family famille, school ecole, train train, trash corbeille poubelle,
    weekend week_end, coffee cafe, gift cadeau cadeaux, apartment appartement logement, tenant locataire, minute
    minutes, half moitie, standby astreinte, place endroit,
    monday lundi, tuesday mardi, wednesday mercredi, thursday jeudi, friday vendredi, saturday samedi, sunday dimanche,
    january janvier, february fevrier, march mars, april avril, june juin, july juillet, august aout, september septembre,
    october octobre, november novembre, december decembre, morning matin matinee, noon midi, afternoon apres_midi, evening
    soir soiree, night nuit, two deux, three trois, ten dix, euro euros, quarter trimestre, season saison, summer ete,
    winter hiver, spring printemps, autumn automne, holiday jour_ferie, christmas noel, easter paques, department
    service_interne departement, recipient destinataire, sender expediteur, feedback retour_client, estimate estimation,
    preview apercu, skill competence, score score_du_match, retention conservation, dictionary dictionnaire,
    risk risque, target cible, privacy confidentialite, payout versement, limit limite plafond, partner partenaire, bank
    banque, stock actions_en_bourse, enrollment inscription, market marche, license licence, letter lettre courrier,
    postcard carte_postale, evidence preuve, income revenu revenus, revenue chiffre_d_affaires, profit benefice, loss perte,
    cost cout couts, debt dette, amount montant, loan pret emprunt, donation don, donor donateur, accounting comptabilite
    compta, warehouse entrepot, carrier transporteur, tracking suivi, return retour_de_colis, warranty garantie, complaint
    reclamation plainte, support assistance, caller appelant, queue file_d_attente, shift equipe_de_nuit, overtime
    heures_supplementaires, absence arret_maladie, interview entretien, resume cv, manager chef, colleague collegue, intern
    stagiaire, training formation, exam examen, teacher professeur enseignant, parent parents, attendance presence,
    university universite, library bibliotheque, author auteur, publisher editeur, verse verset, poem poeme, quote citation,
    player joueur joueuse, coach entraineur, goal but_marque, scorer buteur, league ligue championnat, standings classement,
    injury blessure blesse, lineup composition_d_equipe, referee arbitre, stadium stade, odds cote, prediction pronostic,
    movie film, show serie emission, theater theatre, museum musee, lyrics paroles, voice voix, sound son_audio bruit,
    subtitle sous_titre, thumbnail vignette miniature, background arriere_plan, avatar photo_de_profil, icon icone, font
    police_de_caracteres, design conception, layer calque, frame cadre, sticker autocollant, shape forme, drawing dessin,
    diagram schema, slide diapositive, paragraph paragraphe, heading titre_de_section, footer pied_de_page, spelling
    orthographe, sentence phrase, abstract resume_d_article, paper etude, topic sujet theme, entity entite, sentiment
    tonalite, spam indesirable, filter filtre, rule regle, policy politique, trigger declencheur, automation automatisation,
    connection connexion, token jeton, login identifiant, admin administrateur, visitor visiteur, traffic trafic
    circulation, click clic, trend tendance, ranking positionnement, competitor concurrent concurrence, investor
    investisseur, investment investissement investi, fund fonds, headcount effectif effectifs, industry secteur, founder
    fondateur, neighborhood quartier, building batiment immeuble, floor etage, parking stationnement, garden jardin, roof
    toit, leak fuite, heating chauffage, repair reparation depannage, equipment equipement materiel, printer imprimante,
    laptop ordinateur_portable, camera appareil_photo, door porte, window fenetre, battery batterie, power courant
    electricite, fuel carburant, fleet flotte, truck camion, boat bateau, station gare arret, airport aeroport, passenger
    passager, passport passeport, seat siege, trip voyage, luggage bagage valise, breakfast petit_dejeuner, lunch dejeuner,
    dinner diner, food nourriture repas, drink boisson, wine vin, grocery courses, medicine medicament, prescription
    ordonnance, hospital hopital clinique, nurse infirmiere infirmier, diagnosis diagnostic, symptom symptome, allergy
    allergie, blood sang, weight poids, height hauteur, sleep sommeil, exercise exercice, swimming natation piscine, plant
    plante, tree arbre, water eau, earthquake seisme, planet planete, asteroid asteroide, law loi, court tribunal, lawyer
    avocat, lawsuit proces, witness temoin, notary notaire, signer signataire, document papiers, consent consentement,
    member adherent, club association, volunteer benevole, church eglise paroisse, party fete, speaker intervenant orateur,
    booth stand_du_salon, fair salon foire, webinar webinaire, agenda ordre_du_jour, poll vote, idea idee, approval
    approbation validation, mistake faute, problem souci, outage panne, crash plantage, uptime temps_de_disponibilite,
    domain nom_de_domaine, certificate certificat, network reseau, cloud nuage, container conteneur, function fonction,
    feature fonctionnalite, package paquet, schema schema_de_donnees, catalog catalogue, gallery galerie, bookmark favori
    marque_page, tab onglet, button bouton, banner banniere, headline gros_titre, press presse, hashtag mot_diese, gift_card
    carte_cadeau, loyalty fidelite, variant variante declinaison, barcode code_barres, quantity quantite, unit unite,
    average moyenne, percent pour_cent, archive archives, wallet portefeuille, crypto cryptomonnaie, coin piece_de_monnaie,
    gold or_metal, coordinates coordonnees_gps, neighbour voisin, boss patron, office bureau, desk poste_de_travail,
    headache mal_de_tete, name prenom, gender sexe, nationality nationalite, beginning debut, end fin, current actuel
    actuelle actuellement, late en_retard, wrong mauvais faux, missing manquant, duplicate doublon, empty vide, public
    publique, private prive, active actif, expired expire perime, failed echoue, pending en_attente, cheap pas_cher,
    expensive cher chere, nearby proche a_proximite, available disponible dispo, red rouge, blue bleu, green vert verte,
    black noir, white blanc, dark sombre,
    four quatre, five cinq, six six_fois, seven sept, eight huit, nine neuf, hundred cent, thousand mille, second seconde
    secondes, hour heures, day jours, pipeline entonnoir_de_vente, team equipes, update mise_a_jour, mailing_list
    liste_de_diffusion, copy en_copie, subject objet_du_mail, minutes compte_rendu proces_verbal, group_chat
    discussion_de_groupe, video_call visio visioconference, microphone micro, mute en_sourdine, waiting_list
    liste_d_attente, deposit acompte caution, installment mensualite, vat tva, tax_return declaration_d_impots, petty_cash
    caisse, allowance indemnite, mileage kilometres, reimbursement remboursement_de_frais, timesheet feuille_de_temps,
    payslip fiche_de_paie bulletin_de_salaire, sick_leave malade, cleaner femme_de_menage, plumber plombier, electrician
    electricien, painter peintre, mechanic mecanicien garage, construction chantier travaux, offer promotion promos, shelf
    etagere rayon, delivery_note bon_de_livraison, sample echantillon, clothes vetements, shoe chaussures, phone_number
    numero_de_telephone, meter_reading releve_de_compteur, temperature degres, heater radiateur, air_conditioning
    climatisation clim, vacuum aspirateur, living_room sejour, bathroom salle_de_bain, basement cave sous_sol, hallway
    couloir, harbour port, street rue, holiday_home gite location_de_vacances, competition concours tournoi, choir chorale
    repetition, band groupe_de_musique, baptism bapteme, funeral obseques enterrement, mother mere maman, father pere papa,
    grandmother grand_mere mamie, grandfather grand_pere papi, son fils, daughter fille, brother frere, sister sœur, aunt
    tante, uncle oncle, man homme, woman femme dame, boy garcon, baby bebe, vaccination vaccin, vet veterinaire, cow vache
    veau, horse cheval, chicken poule poulet, egg œuf œufs, milk lait, bread pain, cheese fromage, bakery boulangerie, soap
    savon, candle bougie, flower fleur fleurs, cup tasse mug, bicycle velo vtt, motorcycle moto, step pas_marches, run couru
    course_a_pied, blood_pressure tension_arterielle, lock serrure, alarm reveil alarme, fire feu incendie, irrigation
    arrosage, field parcelle, hay foin, note memo, receipt ticket_de_caisse, voucher bon_d_achat, permission droits_d_acces,
    error erreurs, build compilation, release publication_de_version, on_leave en_conge, handover passation, inspection
    controle, defect defaut malfacon, spare_part piece_detachee, screw vis, tool perceuse, neighborhood copropriete, hearing
    audience_au_tribunal, claim sinistre, insurer assureur, landlord bailleur, viewing visite_de_l_appartement, mortgage
    credit_immobilier, chord accord_de_guitare, flyer prospectus depliant, print_shop imprimerie, like j_aime, star etoile,
    table table_au_restaurant, dish plat, schedule horaires, test controle_de_maths, kindergarten creche maternelle,
    babysitter baby_sitter nounou, parents_evening reunion_parents, microchip puce, customs douane, container
    conteneur_maritime, pallet palette, best_before date_de_peremption,
    correct exact, valid valide valable, tip pourboire, direct_debit prelevement, nut noix, calorie calories, move
    demenagement, tender appel_d_offres, strike greve, elevator ascenseur, drain evacuation, dishwasher lave_vaisselle,
    forklift chariot_elevateur, oil huile, spare de_rechange rechange, leaflet plaquette brochure, subpage sous_page,
    archive dossiers, contact_person interlocuteur, representative representant, utilization taux_d_occupation, memory
    memoire_vive, duplicate en_double, husband mari, wife epouse femme_de, thing chose choses truc, way facon maniere, size
    plus_petit plus_grand, long longue, short court courte, big grand grande, small petit petite, good bon bonne, bad
    mauvaise, better mieux meilleur, latest plus_recent, main principal principale, own propre, real vrai vraie, automatic
    automatique, final definitif definitivement, english anglais, german allemand, french francais francaise, spanish
    espagnol, italian italien, polish polonais, switzerland suisse suisses, cover couverture, air_quality qualite_de_l_air,
    warning avertissement, scraper aspirateur_de_site, section rubrique, column colonnes, unit_test tests, lead prospects,
    quote chiffrage,
    flat copro, yellow jaune, cart chariot, bridge pont, job_interview entretien_d_embauche, interview interview, kids
    garcons filles, boiler chaudiere, technician technicien techniciens, accountant comptable, rest restant, discussion
    discussion discussions, caterer traiteur, music musique, credit credits, deal deal affaires, flyer flyer tract,
    total total, mode mode, past passe passee, base base, intervention intervention interventions, contact contacts,
    ticket tickets, podcast podcast, checklist checklist, release sortie, school rentree rentree_scolaire, tag tag,
    double double, story story, place place places, dream reve, plan plans, price tarif tarifs, scenario scenario,
    allergy allergique, director proviseure directrice directeur, face tete, rate taux, taxi taxi, table table tables,
    detail details, recruitment recrutement, block bloc, playlist playlist, office cabinet bureaux, incident incidents,
    log logs journaux journal_d_erreurs, main main, franc francs, cake gateau, invitation invitations, water eaux, issue
    issue, model maquette, export export, bug bug, section region, math maths, canteen cantine, kitty cagnotte, rental
    locations, area zone, light_weight leger allege, heavy lourd lourde, high haute haut, clip clip, test test, use
    usage utilisation, service service services, baker boulanger, butter beurre, egg oeuf oeufs, character caracteres,
    content contenu contenus, entry entrees entree, grant bourse, age age, proposal propositions, web web, closing
    fermeture, subject_line objet, client clientes, vendor fournisseurs, employee salaries employes, absence absences,
    day_off rtt, salary paye_du_mois, candidate candidats, meeting reunions, reminder rappels, task taches boulot, list
    listes, row lignes, cell cellules, sheet feuilles, file fichiers, image images, drawing plans_du_batiment, video
    videos, song morceaux chansons, comment commentaires, view vues, click clics, visitor visiteurs, revenue recettes,
    payment paiements, balance soldes, refund remboursements, fee frais_de, inventory stocks, product articles_en_vente
    produits, customer clientele, lead piste pistes, campaign campagnes, list_of_contacts carnet_d_adresses, form
    formulaires, survey sondages, student eleves etudiants, teacher prof profs, grade note_sur notes_de, assignment
    devoirs, trip voyages, hotel hebergement, flight vols, light lumieres, password mots_de_passe mdp, permission
    droits, version versions, backup sauvegardes, error message_d_erreur, outage pannes, status avancement, overview
    vue_d_ensemble, report bilan, usage consommation conso`,
};
