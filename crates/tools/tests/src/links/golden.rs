//! Links that were made once and open forever: of each table and figure of the papers that comes with
//! the program, with a state that has everything. Never edited; links of a later format are added.

use super::*;

/// Name of the example, and the link.
const LINKS: &[(&str, &str)] = &[
    (
        "tx2-table-1",
        "v1=eNqNUk1Pg0AUjByN2puaturmndekbAEb4sfBYy8mrdGkIQ2lr3YjsgQWGw78Cq_-On-Jj35YmmojB8ibzAwzb_fC5uDrYZSCK1rLh8O7xBm4g0ubW84K9TikGGKgcQwudE3goGJwTWKjDEtQJxlyiBNMMdIyelkhWqmQ_AcDCNRb7CdI0iSL6B2rUAb5zUROVDlJwsgvUrqkPE1zNlaYsuuuuGUzX-o79vX5AR4fkDzEFDyv2N8z-s-C9f1RiMx02chPZcDSYIrjLKQMbMHkB8b9wyNrQW3-NaHw-KHRoxLH9LsICe-J6tD-GYh5ZJR1TxYOvOHw5pXT4efmajWtmtEVFYLgTdsUVQKn6nE-VJkejnKN5badjtW2LdshbXtTa7aE9YtYRlva3bbW0payn5bt6usTbli8KUh_1hbbVeyqjrLVrbVO_KXbHcXZitLZ8Pz_uoryzOEVkwjnl8orvgEM7bQw&embed=both",
    ),
    (
        "tx2-table-2",
        "v1=eNqFkc9Kw0AQxjFHUXtTaYsucx4h2SaxBP8cPLaI0BaFECS2UxtMd0OytfSQp_Dq0_kk7qq1IT10DwszfL_5vp099xBi9SwKCLj9dxDeE1pCEF546PrrboRQUEpjRRMIoOcAgswgcLSaktQ0Vb4ghCyngoRKxOu6o6RM9fwwhLGcZ3FOGs0XQt-ZTJPx6nqaTKWpEt3T84RURvI4W7GJpIJd9fgNW8aJumVfnx8QYajxlAqIonJ_zxo-cTaMX1JiPGBqRux-1O-zQuUUzwEPrLuHEbOhjPDQGujUx3q-IGhYA14tOv-FVh5Z5n0nvyS2fGxf-l08c9a7sBtWj28Ep8YRsLnZYMvBtmNzt8Z0KoyxrxIutrnn1wC3Drg7AG87lb8rlV810RGb3Q3Bt0xKs3R4o1zQz69G5Tc5A4oZ&embed=both",
    ),
    (
        "tx2-table-3",
        "v1=eNp9UM1Kw0AYxBxF7U2lFV2-8xaatCkS_Dl47EVoRSEEWdOvzeI2GzbbhhzyFF59Op_Eb9VYD9I9LDvDzCwzFyEHYZ_zEqJg8HM4bCRWEMX9kI_GLZtwKFFhanEOEUx84KALiHxSo1SOtGaNHAqDJeZW5suWsVoryo9jSPWqEAbJatY53YVWMq2vF3KhHZLEUV6urZM8ZjWbayzZ1SS4YZWQ9pZ9vL9BwmOyKywhSZr9PW_2FLCZeFHIhhErrTAb-psJpnTVL4zURtqaeINiBfzAu7t_YANoEn7oTanEMZAOOt40cO9MLjMHhr-AhEeea3vybeS9S37mD4IRPw_baTreJNgKTl1Ud7tmzx__5xj-dRDohjsdjesKr2hy_BozaT4BDVR0bw&embed=both",
    ),
    (
        "tx2-table-4",
        "v1=eNqFkc1KxDAUhbFLUWenMoqGu44w7bQixZ-Fy26EGVEoRWrnzjQYk5JmpnTRp3Dr0_kk3qhlZiGaRcg5nO-E3JxGHHL7pGqIg9HP4rAS2ECcnkU8PO_djEONEguLM4gh8YGDriD2KY1COtOaJXKoDNaorFCL3rFaS-pPUyj0a5UbJNQsFe2VlqJor-Zirp0S5FGf0tZFHsqWzTTW7DIJrlmTC3vDPt7fIOMp4RJryLJue8ubPgZsmj9LZGHMbKNZZYQ2wrZM4gplzRkVMlsapNYd7_buno2gy_iuN6FH7IPUDQy8SeDOSit0YuxEKRalE2GfImjPcy8_-C7hRxf82B8FIT-J-jENvCRYBw5d7XA92d-B8SZAYjj-Bwg3ARJD_88rOjcneEGj8Osjsu4TEOR_ZA&embed=both",
    ),
    (
        "tx2-table-5",
        "v1=eNqFkj1PwzAQhkVGxMcGKKBi3Wykxo3TNuJjYOyC1CKQogilqdtaNXHkuFQd8itY-XX8Emwg4AXiwXrf8z2-s3XnFEOmn4oKYtL9XhheONtAnFxQHEZNNMVQMcFyzWYQwygADLKEODDZjAsb1GrNMJSKVazQvFg0ES2lMPcnCeTyucwUM6haF2YvpeD59mrO59I6bmLmvkJqm_Kw3KKZZBW6HJFrtMm4vkHvb6-Q4sTgglWQpvXujjd5JGiSTQVDNEal4lJxvUVZMUOmE7lWOUNTIfOV7Qjvebd396gLdYr3vbF5xBEIuYFDb0wc3XN06Gjq6MjRfUcPrF7yxdKaYXNg6h149tOOv-rj0wCf0YDgTtB8cPfQG5HfhBPbkf9z-gfQcwFjfNIChC5gjN9rAagLGOOHLUDkAsb4tAXou4AxftQCDFxgYAHqAkGXhLhDHWDoAsb4_f8q1HasYMVUwT7nNq0_AJFJt6s&embed=both",
    ),
    (
        "tx2-fig-9-tasks",
        "v1=eNrtlE9LwzAYxrFHET0qKBrec5Q3WdttxT83Lzs6UChFypbNstqMNnPs0E_h1U_nJzF1fT6EYA_h6dtf0vx4Sa4iSbl7rRpKNPePpI_CbClJryMZxqhmkhpTmpkzc0pookiSXVOiPG2Ksiu6emMkrWvTmMoV1RIVZ23p109Tmtn3dV4bP7XeVH5c27KY7e4WxcJ2b4Wv-fUq6zrk-W0n5tY04nai78U2L9yD-P76pEymfnppGsqy9vAgmL5o8Vgsb8RY5NVcKE6E21rh8mbVkDwKpopOgqmmNpPHQbfvU1-R5-FIXkRKy8tU8V5dKs0jhBCh_6TGMYLuw2iEECIAHgIeAo4Bx4BjwBHgCHAIOAQcAh4AHgDWgDVg6PT_6AJgCCoIKggyBBmCDEGGIEOQIcgQZAgyBBmCDEGGIEOQIcgQZAgyBBmCvBfMToKJ7rroh7Mn_d_KP9zKtjvBtDJ1ZX6viKz9AQ4I-cw&embed=both",
    ),
    (
        "tx2-fig-9-processes",
        "v1=eNrtlM9K7DAUxrmFe-HeK7pUUDScdZST2Nax-GfnZjaCAwqlyDATNVib0kYHF30Ktz6dT2IyzvcQgl2Erye_JPx6aPYySVN_2_RUaF49kl6sWVBR7mcyzVGtJPWmNjNv5lTQWJEk11KhAm1sHYu-ezaS2s70pvG2uUfFO1eH_cuSZu6pnXYmLO2emzC2rraz19M7e-fimw21sF_jfESuH17F3JlenIz1mVhMrT8XH-9vVMkyLK9NT1U1_PuVTG60uLD3B-JYTJu5UFwIv3Ci7dzM9H3A5O9wWm17T_JPFlUG-T-5VLSRXGoaKrmWTILN32VlomNalteTKLkZ57bTkdzJlJa7peKv7ySV5hFCirCaUsc5gl6F0QghRQB8BPgIcA44B5wDzgBngFPAKeAU8CHgQ8AasAYMndUZMQCGoIKggiBDkCHIEGQIMgQZggxBhiBDkCHIEGQIMgQZggxBhiBDkCHIX4LVRjLWsYth2LrSP638xq0c4u9Oj6ZrzPI-qYZPGWQEsA&embed=both",
    ),
    (
        "tx2-process-priorities",
        "v1=eNrtlN1K5DAYhtnCLuzvnO0uKFq-4whfYlvH4s8FzInggEIpMozRCdamNNHiQa_CU6_OKzEZ570IwR6Er2-eJDz5ILu5oIW_ah2VijefoEejByqrvVxkBdJakNONXnp9TSXNJAmyHZUy0No0MfT9gxbU9drp1pv2Fom3tgn7VxUt7X236HVY2j-0YexsY5ZPxzfmxsY_E7KwX2t9RC5WT-m11S49mqmTdFgYf5q-vjxTLaqwvNGO6nr88SWZX6oy9YNNu94utXNhxWD8KnW-14v7kBrbG28CL76GYxvjPIlveXQaxc_kTNIkOVM01uJXMg9a39fJXMVqHf-OiUjOw_CXGjvQJE6EQMVgZW5XkfqTxDv5F3fYyqZiO5dK7FSS369VSMVTFBmKzZQ8LFCoTTGdoshQAD4AfAC4AFwALgDngHPAGeAMcAZ4H_A-YAVYAYbO5oxYAIaghKCEIEOQIcgQZAgyBBmCDEGGIEOQIcgQZAgyBBmCDEGGIEOQIcjvgvUkmanYxTD8j_39bOWHbeUYXwe6032r189PPb4BjooSMw&embed=both",
    ),
    (
        "tx1-processes",
        "v1=eNrtlMtKxDAUhrGi4gVnqaBoOesIJ7GtY_HyALMRHFAoRcYatVib0kZHF30Ktz6dT2LizO87CHZR_pzzJenX0O7Hgib2pu4oVTy_BL2WekppdhCLKEE1F9TpShdW31FKI0mCTEOpdLQuK1-07YsW1LS607Ut6wdUrDGVWz_LqDDPzaTVbmr7Urt7Y6qyeD-9L--NH5Wu5tarjfXI1eN7eGd0F56M1Fk4nZT2PPz6_KBcZG56pTvK835tIRhfyzS0UxM2rSl017mGWLRv7gGX3C5V2VkSy7FX6MV6cOHqK7eVKZ5oEFyo30Gfi41g7JqrjhgEY-WT8uXNwMtu-d5ONBS7sVRiL5M8e19CKh4iRAjzljxOENQ8DIcIEQLgI8BHgBPACeAEcAw4BhwBjgBHgA8BHwJWgBVg6Mz38AEwBCUEJQQZggxBhiBDkCHIEGQIMgQZggxBhiBDkCHIEGQIMgQZggxBngnmg2Ck_Cm62_al-j_KP3yUvf_s6Um3tf75r-T9N1w1B0w&embed=both",
    ),
    (
        "edf-fig-1",
        "v1=eNp1UU1Lw0AUxICHqPhxykHR5Z1XaWLrIfhx0VIoOXsIQULy2iymuyG7tfSQX-HVX-cvcV_SIELcw8DMzszy3l5NOKTmTWoIg9HucPgQuIEwvp7w8V2vJhw0lpgZzCGE-cwHDqqC0Ld2FCWppl4jh6pGjdIIuewVo1RpH4hjyNSqSmu00XotLVaqFNn2YSEWipiwmu2TypDltdiyXKFm9_PgkW1SYZ7Y99cnJDy28RI1JElzsOe8PE_ZVCxvmB8yUyCz1aXQhqkFMxvFCrEsWCrzlqwwF-sVq2qVoda2gu_v7NDwQ4emOqUA8DO_m_vEmQUDYuT_YcEvaxJ-1Ba5Frq0a6GLuBFpZHctWOux067SIzgf8wt_FIz55W1fPKe4RzB0SY1e9E-SHvGioWRDa4N3rCW2_5I0PzQsg74&embed=both",
    ),
    (
        "edf-fig-2a",
        "v1=eNp1UU1Lw0AQxYBgVPxCyUHRZc6rmKUVCX5ctBRKzh5CkJBOm7UxG3Y3LT3kV3j11_lL3G0arFj38GDe7HtvdueiSyHRr4WCgF0vD4UpxxkE0WWXdm5aNqagMMdU4xACGPR9oCBKCHxzHXluWS0rpFBKVFhoXoxbRguRm4AoglS8l4lEI5VVYbAUOU_n9yM-ErbihjN-hdD2yks2J0OBitwN2AOZJVw_kq_PD4hpZOQ5KojjenvDeX7qkR4fXxGWBCSRkk-TnLxVSpNkpFESnSExA8m58VAkzTCdmGnpphkh50pDTbf85ePpjmMfdpDxcQb00G_YfafP1pCh_6tiP1Ud092FkWvhKBX2OypRKWisXAvHt8vMk0blN45u-EdirV0Lq7TJ2HMWa_AsnHbomX_NOvSctRMNbIpnYaXZbZs2xgv_UdowL2RrmrX9cpigLHCx07j-BgbrlDA&embed=both",
    ),
    (
        "edf-vi-a-runlist",
        "v1=eNqllM2O0zAQx0UlEAXEwrJQ7YLA8tmVmq92qfgQEiAh7nCooihNp63V1I5sh5JDn4IrT8eT4GzsJCrpAdWH2Blnfv8ZezKvAoJjFTGJp-7IDIJ_UNjh6WwYEH9srSHBElJIFCzwFMtsDQKQgwnmGZ462gdoWm4pkQPBmQAJTFG2shbFeapVZjOc8G0WC9CuImf6mfGUJsXbJV3y8o1qm-YxrspPvq8LtOAg0Zuv7ju0i6l6j_78_oVDMtPuKUgchvt7t3qfPn5GUkdHOUPfvgw_TNGS5wLFWabhcWmWKGcLEEiLplQqTG7XqztBmeGe3K3PYETu96ocMXm0pqs1Jo_9auesx0DtuNg0O57dkQmw0iPlO212rHkFsZCH5n1IHtQafbs4z0BQvqAJJk88M8iF59qrmeeLFVQX9m88_XrVxvg2pQuzIk-DDtxhEn0znye8vMic5zqFZ06dTd_MbSlnfDMmBCdpLDUUz0GqCJZLLhTWGT_sNZUzsDk_d8kLZ-T65KVjw0p5sokU3UK0jX9W4VVHoasnKyLKonmhwEZ9Zqlui3rZKF0Z7n8I1UivA-mehvQ7kN5pyKAD6Z-GHHcgg9OQkw7kuAs5Po50bZmmcQFCImf4WlPrwm-F5QXHIRMjcFBNjuteXxs0ckZt8GVb7yo4PIPjWl5biufKavnNrzYwc8OrYm9ax8DMLUXHdBHd_fAGBIOb9hru_wKfJ6HS&embed=both",
    ),
    (
        "edf-vi-a-cbs",
        "v1=eNqllMuO0zAUhkUlEAXEwDBQzYDA8tqVmls7VFyEBEiIPSyqKEqTk9ZqGke2Q-miT8GWp-NJcBo7iTrpYlQvYuc4_v7z2yd-4xEcyiATeGqPdCP4F4UNns6GHnHHJuoTLCCFSEKMp1jkS-CALEwwy_HUUmuApuWU5AUQnHMQkEmaLUxEMpYqldkMR2ydhxzUUl5k6pmzlEbb9wlNWPlGVUzxMibLT34utyhmINC77_YHtAmp_Ij-_f2DfTJTy1MQ2Pd3D-70vnz-ioTKjrIM_fg2_DRFCSs4CvNcwcMyLFCRxcARxAkmd_fPe17pbEfu195H5GGv8obJkyVdLDF56lYzZ70M5IbxVTPjmBkRQVauSNlGhS0TXkDIxWF455NHtUbfDM5z4JTFNMLkmaMbuXBscyTzIl5AdVA38-nXozbGNZYu9Ig89zpwhyb6uj-PWHmABSuUhRdW7aav-7aUNd63CcFRGgoFxXMQMoAkYVxi5fhxr6mYgfH80iavrJHtkteWSStl0SqQdA3BOvxdpVdthaqafBvQLJhvJZiszwzVblEvG6Urzb2FUI10OpD2aUi3A-mchvQ6kO5pyHEH0jsNOelAjruQ4-NI25RpGm6BC2QN3ypqXfittBzvOGSiBQ6qybLt62uNRtaoDb5s6115h3twXMtpS7FCGi23-dUGum94Ve7N1THQfUvR0reIuvXwCngG-2vV3_0H8tCeDg&embed=both",
    ),
    (
        "edf-inheritance",
        "v1=eNpVUU1PhDAUjCQeVo1e1njQaPPONVmQ9UD8iGd_gAdCTBcea7NsS9oi4cCv8Oqv85f4ULooBzKdzLx5nV4tOQj3qiwk0WL8OLxLbCFJr5c8vvVsxsFihbnDAhJYG7ECDrqGJCQ9ymqgnWmQQ23QonJSrT3jtK4oIU0h19taGCSraRT9a13JvLsvZamHkySO5intBsnLW8cKjZbdPUcPrBXSPbKvzw_IeEr2Ci1kWX-wFzyxXCvbbNFwJp1ltdFFk6NhQhVMMCfshknFVuhaRErYx6Kk8fmKdipFZbHnh0EuyC_gJCjQ0S21GaC0dSU66DN-5AV85sH8Zqzmj4fPJjgPd4WO-w0dwGjPpvFk8mgexqPndHRT9nHwW_eZTz6P-UW4iGJ-Gf_fgDRT_qSKdioj2kHj4ybJ0qdRobBBo_DnxbL-G7uLn8Y&embed=both",
    ),
    (
        "edf-overrun-cbs",
        "v1=eNptkD1LxEAQhjEg-IWCFhaKLlOPcBfvVIIfWFlcZ2MRgsRkLrdczITdyR1X5FfY-uv8JW4uiVq4xQ77zrzPsO_5GCGW18JC4A-6g7DQtIQgvBjj6KpXIwRLOSVCKQQweQIELiEYumnSeSOKqQihNGSpEF1kvSLMueOHIST8XsaGnNVUhbtLznWyupvqKTcv7TTHK1iakZfZSqVMVt1O_Hu1jLU8qK_PD4gwdPacLERRvbPhPSqJ7VzJLBbFCzIObZUWq96qNCNBtdQyU5aM61nATUqnUOPWZfcz3PUy5hQOPMNZRVBHuNcquN2Ww5KM5lQngEdDv8-opa-T60g9Abe7-td484-vY7mN-14T6HG772SEp8OBP8KzH_Dk2XU76m_7uve7GGBOpqB1zlH9DVThh8w&embed=both",
    ),
    (
        "edf-overrun-plain",
        "v1=eNptkL9OwzAQxkUkJAoIJBgYQGDdfEhtaAFF_BETQzcWhihCaXJJrIY4sp1GHfIUrDwdT8KlSYABD7b83X2_s7-LGUJo3woDnjvuF8JKUg2efznD6fWgBgiGcoosxeDB_BkQVAnehLtJ5q1odUUIpSZDhZVFOihWqZz5vg-Rei9DTWzVVcF7qXIZre8Tmaj2JlljXqFs2_KarUWsyIi7ufsg6lDaR_H1-QEB-mzPyUAQNLtbzpOwoVkKm4VWqBVpRhshrRGLKk7JoqilzVRlhSHNZQO4TXHCA6IFvyoJc0MN7lz1H8U9J1UqhkNHq7QiaALc7xQcdcdRSVqqWEaAxxN3iKwbtgmyJw0EHPXnX-PtP76exRMPnDbfk27e6RTPJmN3iuc_4PkLV3vqb_lm8HMqsCRd0Cb2oPkGq1-NEQ&embed=both",
    ),
    (
        "lp-thread",
        "v1=eNpdUE1Lw0AQxYBiVRRU8FDRZc4jtDEtEvy4qJf2IHjwkAaJycQsbnfD7tbSQ36FV3-dv8RNk4C4h53dN--9-TgfIST2VRoI_UF7ED45LSGMLkYYjDs0RjAkKLWUQQiTZ0BQJYRDxyYuatDqBSGUmgxJy-V7h1ilhPOPIkjVvEw0OaleSHeXSvB0dZPzXNU_7jDnJ5WtKS_FimWKDLue-LdsmXB7x36-vyDGyMkFGYjjamfDmz6F7OH-kS25LZirTvPSciXZDGyhKclmALhJWQ64FVwG6_nSN9dPnghDFW5fdWPveqZQ2sKBJ5Trvopxr0Ww18bDkjRXGU8Bj4ad7njUPFod9prwlxu0XOe579W7O2kN-wGeDgd-gGd-ZzKZunRj0R8P_qWremT4IC1pvdO4-gU5jX7D&embed=both",
    ),
    (
        "lp-block",
        "v1=eNpdUE1Lw0AQxYAfVVFQwUNFlzmP0Ia0SPDjol7ag-DBQxokTSZ26XY37G4tPeRXePXX-UvcNAmIe9jZffPe231zNUBI7Ls0EPq9ZiF8clpBGF0PMBi2aIxgSFBqKYMQRq-AoAoI-45NXFSg1UtCKDQZkpbLjxaxSgnnH0WQqkWRaHJSvZRuL5Tg6fou57mqbtxhzk8qW1HeZmuWKTLsduTfs1XC7QP7-f6CGCMnF2Qgjsv9LW_8ErKnx2e24nbG3Ou0KCxXkk1gKlQ6nwDgNmU54E4QbNKlU_ebPBGGcHdDgRL3btrwB56ZKW3h2BPKZShjPGwQ7DT1pCDNVcZTwNN-qzsb1IdGh526_OUGDdd5HnnVBM8bw26AF_2eH-Cl35qMxq5dW3SHvX_tsgoOc9KSNpONy19iuICD&embed=both",
    ),
    (
        "lp-none",
        "v1=eNpdUE1LxDAQxYIfq6KggocVDXMeYbd0Fyl-XNTL7kHw4KFbpLZTN5hNSpK17KG_wqu_zl9ium1BzCGTvHnvJW8uRgiJfZUGQn_QLoRPTiWE0eUIg3GHxgiGBKWWMghh8gwIqoBw6NjERQ1avSSEQpMhabl87xCrlHD-UQSpWhSJJifVS-n2Qgmerm5ynqv6xh3m_KSyNeVlvmKZIsOuJ_4tKxNu79jP9xfEGDm5IANxXO1ueNOnkD3cP7KS2zlzr9OisFxJNnNGkmYAuElZDrgVBOtw6Zv7TJ4IQ7hdM6DCnasu-p5n5kpbOPSEcgmqGPdbBHttPSpIc5XxFPB42OlORs2h1WGvKX-5Qct1ngdePb_T1rAf4Nlw4Ad47ncmk6lrNxb98eBfu6pjwwdpSeu5xtUvNqJ_zQ&embed=both",
    ),
];

/// The state in each of them.
fn golden(scenario: Draft) -> Link {
    let selected = scenario.kernels[0].name.clone();
    let memory = [("run", "policy=fifo"), ("pin", &*write_scenario(&Draft::default())), ("note", "Why does <K2> wait? ✓")];
    // As version 1 has it.
    let memory = form_urlencoded::Serializer::new(String::new()).extend_pairs(memory).finish();
    Link {
        scenario,
        position: 5,
        at_ns: 200_000_000,
        example: String::new(),
        view: Some((-5, 4_600_000_000)),
        selected,
        op: Some(1),
        is_future_hidden: true,
        is_presenting: true,
        is_path_shown: false,
        tools: vec![("compare".to_owned(), memory), ("rules".to_owned(), String::new())],
    }
}

/// An example as it was when its link was made.
fn as_linked(id: &str) -> Draft {
    match id {
        "edf-vi-a-runlist" => read_scenario(include_str!("old/edf-vi-a-runlist.json")).unwrap(),
        "edf-vi-a-cbs" => read_scenario(include_str!("old/edf-vi-a-cbs.json")).unwrap(),
        _ => example(id),
    }
}

/// If a scenario that comes with the program is ever changed, its link goes on holding what it was.
#[test]
fn golden_links_go_on_opening() {
    for (id, fragment) in LINKS {
        let (link, embed) = read_link(fragment).unwrap_or_else(|e| panic!("{id}: {e}"));
        assert_eq!(embed, Some(Embed::Both), "{id}");
        assert_eq!(link, golden(as_linked(id)), "{id}");
    }
    assert_eq!(LINKS.len(), 19);
}
